// The frontier's head: what will be fetched next, why, and the best page that points there
// mode: read
// params: $limit INTEGER pages = 25
// returns: priority, reasons, url, the richest fetched page that links to it, the link's text
// source: [000.order]
MATCH (h:Host) USING INDEX h:Host(bestPriority)
WHERE h.bestPriority IS NOT NULL
WITH h ORDER BY h.bestPriority DESC LIMIT $limit
CALL (h) {
  MATCH (p:PageNeuron:Frontier) USING INDEX p:Frontier(host, priority)
  WHERE p.host = h.name AND p.priority IS NOT NULL
  RETURN p ORDER BY p.host DESC, p.priority DESC LIMIT $limit
}
WITH p ORDER BY p.priority DESC LIMIT $limit
OPTIONAL MATCH (from:PageNeuron)-[axon:LINK_AXON]->(p)
WITH p, from, axon ORDER BY from.reward DESC
WITH p, head(collect({url: from.url, anchor: axon.anchor})) AS best
RETURN p.priority AS priority,
       [reason IN [['reward', p.reward], ['score', p.score], ['feed hint', p.feedHint],
                   ['topic hint', p.topicHint], ['best parent', p.parentBest],
                   ['links here', toFloat(p.inLinks)], ['depth', toFloat(p.depth)]]
        WHERE reason[1] IS NOT NULL | reason[0] + ' ' + toString(round(reason[1], 2))] AS reasons,
       p.url AS url, best.url AS from, best.anchor AS anchor
ORDER BY priority DESC
