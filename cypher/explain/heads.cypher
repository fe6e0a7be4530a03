// The hosts with the best waiting pages, with what says when they may be asked, and these pages
// mode: read
// params: $hosts INTEGER hosts
//         $perHost INTEGER pages a host
// returns: host, dueAt, parkedUntil, latencyS, requests, crawlDelayS (of its robots.txt), more whether further pages of it
//          wait, pages: url, priority, depth, seed, and the facts that orders go by
// source: [000.order]
CALL () {
  MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority IS NOT NULL
  WITH h ORDER BY h.bestPriority DESC LIMIT $hosts
  RETURN h
  UNION
  MATCH (h:Host) USING INDEX h:Host(parkedUntil) WHERE h.parkedUntil IS NOT NULL AND h.blockedAt IS NULL
  WITH h ORDER BY h.parkedUntil LIMIT $hosts
  RETURN h
}
CALL (h) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  WITH p ORDER BY p.host DESC, p.priority DESC LIMIT $perHost + 1
  RETURN collect(p) AS pages
}
WITH h, pages WHERE size(pages) > 0
CALL (h) {
  UNWIND ['http://' + h.name, 'https://' + h.name, 'http://' + h.name + ':80', 'https://' + h.name + ':443'] AS key
  OPTIONAL MATCH (o:Origin {key: key})
  RETURN max(o.crawlDelayS) AS crawlDelayS
}
RETURN h.name AS host, h.nextFetchAt AS dueAt, h.parkedUntil AS parkedUntil, h.latencyS AS latencyS,
       coalesce(h.requests, 0) AS requests, crawlDelayS, size(pages) > $perHost AS more,
       [p IN pages[..$perHost] | p {.url, .priority, .depth, .number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues, seed: p:Seed}] AS pages
ORDER BY host
