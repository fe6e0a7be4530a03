// Settle claimed pages: their content, or why there is none
// mode: write
// params: $pages LIST<MAP> url, token, label (Fetched, Failed or Excluded), properties, remark (kept instead of them on a page whose content is known), grants as lists of rule, points and text, needsScript
//         $grantShare FLOAT share of a grant that is reward at once, the rest is by the next distribution = 1.0
//         $spend BOOLEAN whether they hand on their cash = false
// returns: pages: url, token, label, reason, reward, depth, redirects, granted points, cash that they had, known whether it had axons, alias whether another page stands for it, points and named whether it points to another page and others to it; of accepted pages only; in one row
// source: [000.evaluate] [000.process]
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url}) SET p:PageNeuron                  // lock, then look
WITH row, p WHERE p:Leased AND p.token = row.token
WITH row, p, p:Fetched AND row.label <> 'Fetched' AS keep,            // a failed revisit leaves the content
     [g IN row.grants WHERE none(old IN p.grants WHERE split(old, ' ')[1] = g[0])] AS grants
WITH row, p, keep, grants, reduce(points = 0.0, g IN grants | points + g[1]) AS granted, p.cash AS cash
REMOVE p:Leased, p.leasedBy, p.leasedUntil, p.token, p.priority, p.putOffs, p.readyAt
SET p += CASE WHEN keep THEN row.remark ELSE row.properties END,
    p.reward = p.reward + $grantShare * granted, p.baseReward = p.baseReward + granted, p.grants = p.grants + [g IN grants | g[2]]
FOREACH (_ IN CASE WHEN keep THEN [] ELSE [1] END | REMOVE p:Fetched:Failed:Excluded:NeedsScript SET p:$(row.label))
FOREACH (_ IN CASE WHEN row.needsScript AND NOT keep THEN [1] ELSE [] END | SET p:NeedsScript)
FOREACH (_ IN CASE WHEN $spend AND cash > 0 THEN [1] ELSE [] END | SET p.cash = 0.0)
FOREACH (_ IN CASE WHEN granted > 0 THEN [1] ELSE [] END | SET p:Rewarded)
FOREACH (_ IN CASE WHEN granted > 0 AND p.baseReward >= 100
    AND reduce(e = 0.0, g IN p.grants | e + CASE WHEN g ENDS WITH ' seed seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) >= 100 THEN [1] ELSE [] END | SET p:RichlyRewarded)
RETURN collect({
  url: p.url, token: row.token, label: row.label, reason: row.properties.reason, reward: p.reward, depth: p.depth,
  redirects: coalesce(p.redirects, 0), feedHint: coalesce(p.feedHint, 0.0), granted: granted, cash: cash,
  known: EXISTS { (p)-[:LINK_AXON|ALIAS_AXON]->() }, alias: p:Alias,
  points: EXISTS { (p)-[:REDIRECTS_TO]->() } OR EXISTS { (p)<-[:CANONICAL_OF]-() },
  named: EXISTS { (p)<-[:REDIRECTS_TO]-() } OR EXISTS { (p)-[:CANONICAL_OF]->() }
}) AS pages
