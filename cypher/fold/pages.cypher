// Say what stands for pages, and move reward to it or back
// mode: write
// params: $pages LIST<MAP> url; aliasOf (URL of what stands for it, or null); reward (points), strength and inLinks to add; handedOver (points); seed whether it is one by now
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
// returns: host of each page whose priority changed
// source: RFC 6596; [000.graph]
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url})
CALL (p, row) {                                                       // who counts its grants, and did so far
  UNWIND [p.aliasOf, row.aliasOf] AS url
  MATCH (r:PageNeuron {url: url}) WHERE r.inflow IS NOT NULL
  SET r:Touched
}
FOREACH (_ IN CASE WHEN p.inflow IS NULL THEN [] ELSE [1] END | REMOVE p.inflow SET p:Touched)      // to be counted anew
SET p.reward = coalesce(p.reward, 0.0) + row.reward, p.aliasOf = row.aliasOf,
    p.handedOver = CASE WHEN row.aliasOf IS NOT NULL THEN row.handedOver END,
    p.strength = coalesce(p.strength, 0.0) + row.strength, p.inLinks = coalesce(p.inLinks, 0) + row.inLinks
FOREACH (_ IN CASE WHEN row.aliasOf IS NULL THEN [] ELSE [1] END | SET p:Alias)
FOREACH (_ IN CASE WHEN row.aliasOf IS NULL THEN [1] ELSE [] END | REMOVE p:Alias)
FOREACH (_ IN CASE WHEN row.seed THEN [1] ELSE [] END | SET p:Seed)
WITH p, row
CALL (p) {                                                            // what waits by more than reward knows its parents
  WITH p WHERE p.parentCount IS NOT NULL AND (p:Frontier OR p:Leased)
  OPTIONAL MATCH (p)<-[:LINK_AXON]-(q:Fetched)
  WITH p, max(q.worth) AS best, sum(q.worth) AS sum, count(q) AS parents
  SET p.parentBest = coalesce(best, 0.0), p.parentSum = sum, p.parentCount = parents
}
WITH p, row, p:Frontier AND p.readyAt IS NULL AND row.reward <> 0 AS waits
FOREACH (_ IN CASE WHEN waits THEN [1] ELSE [] END |
  SET p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0)))
WITH p, waits WHERE waits
RETURN DISTINCT p.host AS host
