// The pages that wait with the highest priority
// mode: read
// params: $limit INTEGER pages = 5
// returns: url, host, priority, reward, depth
// source: [000.order]
MATCH (h:Host) USING INDEX h:Host(bestPriority)
WHERE h.bestPriority IS NOT NULL
WITH h ORDER BY h.bestPriority DESC LIMIT $limit
CALL (h) {
  MATCH (p:PageNeuron:Frontier) USING INDEX p:Frontier(host, priority)
  WHERE p.host = h.name AND p.priority IS NOT NULL
  RETURN p ORDER BY p.host DESC, p.priority DESC LIMIT $limit
}
RETURN p.url AS url, p.host AS host, p.priority AS priority, p.reward AS reward, p.depth AS depth
ORDER BY priority DESC LIMIT $limit
