// Hosts whose best priority is not that of their best waiting page
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (host), why
// source: design of the graph
MATCH (h:Host) USING INDEX h:Host(name) WHERE h.name >= ''
CALL (h) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  WITH p ORDER BY p.host DESC, p.priority DESC LIMIT 1
  RETURN collect(p.priority) AS best
}
WITH h, CASE WHEN h.parkedUntil IS NULL AND h.blockedAt IS NULL THEN best[0] END AS best
WHERE coalesce(h.bestPriority <> best, NOT (h.bestPriority IS NULL AND best IS NULL))
RETURN h.name AS what, 'best priority ' + coalesce(toString(h.bestPriority), 'none') + ', but the best page has ' + coalesce(toString(best), 'none') AS why
LIMIT $limit
