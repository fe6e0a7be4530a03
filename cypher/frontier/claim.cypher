// Lease the best waiting pages and their hosts
// mode: write
// params: $worker STRING who claims
//         $pages INTEGER pages at most
//         $perHost INTEGER pages at most of one host
//         $leaseMs INTEGER milliseconds until the lease ends
//         $refill LIST<STRING> hosts that the worker holds already
//         $facts BOOLEAN whether to return what is known of the pages = false
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: pages: url, host, priority, depth, token, tries, redirects, seed, visited of each leased page; latency_s,
//          refusals, requests of its host; facts of the page or null; in one row, which costs the driver less
// source: [000.order]
MERGE (gate:WriteGate {name: 'claim'})
SET gate:WriteGate, gate.token = coalesce(gate.token, 0) + 1         // one claimer at a time, of all runs
WITH gate.token AS token, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
CALL (now) {
  MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority IS NOT NULL
  WITH h, now ORDER BY h.bestPriority DESC WHERE coalesce(h.nextFetchAt, now) <= now
  RETURN h.name AS name, h.bestPriority AS best LIMIT $pages
  UNION ALL
  UNWIND $refill AS name
  MATCH (h:Host {name: name}) WHERE h.leasedBy = $worker AND h.nextFetchAt > now
  RETURN name, coalesce(h.bestPriority, 0.0) AS best
}
WITH token, now, name, best ORDER BY best DESC                       // few: the best $pages and the refill
CALL (name) {                                                        // how good the best of each are, …
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = name AND p.priority IS NOT NULL
  WITH p ORDER BY p.host DESC, p.priority DESC LIMIT $perHost
  RETURN p.priority AS priority
}
WITH token, now, name, priority ORDER BY priority DESC LIMIT $pages  // … and thus how many each gives
WITH token, now, name, count(*) AS wanted ORDER BY name              // record locks hosts in this order too
MATCH (h:Host {name: name}) SET h:Host                               // lock, then look again
WITH token, now, h, wanted
WHERE h.blockedAt IS NULL AND (coalesce(h.nextFetchAt, now) <= now OR h.leasedBy = $worker AND h.name IN $refill)
CALL (h) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  WITH p ORDER BY p.host DESC, p.priority DESC LIMIT $perHost + 1
  RETURN collect(p) AS pages
}
WITH token, h, wanted, pages, now + duration({milliseconds: $leaseMs}) AS leaseEnd WHERE size(pages) > 0
SET h.nextFetchAt = leaseEnd, h.leasedBy = $worker, h.token = token, h.bestPriority = pages[wanted].priority
WITH token, h, pages[..wanted] AS pages, leaseEnd
UNWIND pages AS p
SET p:PageNeuron                                                     // lock, then look: prune may have taken it
WITH token, h, p, leaseEnd WHERE p:Frontier
REMOVE p:Frontier
SET p:Leased, p.leasedBy = $worker, p.leasedUntil = leaseEnd, p.token = token
RETURN collect({
  url: p.url, host: p.host, priority: p.priority, depth: p.depth, token: token,
  tries: coalesce(p.tries, 0), redirects: coalesce(p.redirects, 0), seed: p:Seed, visited: p:Fetched,
  latency_s: coalesce(h.latencyS, 0.0), refusals: coalesce(h.refusals, 0), requests: coalesce(h.requests, 0),
  facts: CASE WHEN $facts THEN p {.number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues} END
}) AS pages
