// What is known of the best waiting pages of the best hosts, of those that were never visited
// mode: read
// params: $hosts INTEGER hosts at most
//         $pages INTEGER pages in all, about
// returns: url, host, depth, score or null, facts of each
// source: [000.order]
MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority IS NOT NULL
WITH h ORDER BY h.bestPriority DESC LIMIT $hosts
WITH collect(h) AS hosts
WITH hosts, 1 + $pages / (CASE WHEN size(hosts) = 0 THEN 1 ELSE size(hosts) END) AS each
UNWIND hosts AS h
CALL (h, each) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  RETURN p ORDER BY p.host DESC, p.priority DESC LIMIT each
}
WITH p WHERE NOT p:Fetched
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.score AS score,
       p {.number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues} AS facts
