// What is known of the best waiting pages of some hosts, of those that were never visited
// mode: read
// params: $names LIST<STRING> host keys
//         $each INTEGER pages of a host at most
// returns: url, host, depth, score or null, facts of each
// source: [000.order]
UNWIND $names AS name
CALL (name) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = name AND p.priority IS NOT NULL
  RETURN p ORDER BY p.host DESC, p.priority DESC LIMIT $each
}
WITH p WHERE NOT p:Fetched
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.score AS score,
       p {.number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues} AS facts
