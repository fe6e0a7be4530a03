// Replace what rules granted to pages, beside a running crawl; what seeds and feeds were granted stays
// mode: write
// params: $pages LIST<MAP> url, fetchedMs (when its content was fetched that was judged), grants (texts of its rules' grants)
//         $places LIST<STRING> where rules look: by its place, a grant is told to be a rule's
//         $grantShare FLOAT share of a grant that is reward at once, the rest is by the next distribution = 1.0
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
// returns: url, base and reward (how much each has moved), waits whether its priority was set; no row for a page
//          whose content is another by now
// source: [000.process]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url})
SET p:PageNeuron                                              // lock, then look
WITH row, p WHERE p:Fetched AND p.fetchedAt.epochMillis = row.fetchedMs
OPTIONAL MATCH (r:PageNeuron {url: p.aliasOf})                // what stands for it has its reward
WITH row, p, coalesce(r, p) AS q
WITH p, q, coalesce(p.baseReward, 0.0) AS oldBase, q.reward AS oldReward,
     [g IN coalesce(p.grants, []) WHERE NOT split(g, ' ')[2] IN $places] + row.grants AS grants
WITH p, q, oldBase, oldReward, grants,
     reduce(sum = 0.0, g IN grants | sum + toFloat(split(g, ' ')[0])) AS base,
     reduce(sum = 0.0, g IN grants | sum + CASE WHEN g ENDS WITH ' seed seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS earned
SET p.grants = grants, p.baseReward = base,
    p.handedOver = p.handedOver + $grantShare * (base - oldBase),
    q.reward = CASE WHEN q.reward + $grantShare * (base - oldBase) < 0 <= q.reward THEN 0.0     // the rest has flowed on or is forgotten
                    ELSE q.reward + $grantShare * (base - oldBase) END
FOREACH (_ IN CASE WHEN base <> oldBase AND q.inflow IS NOT NULL THEN [1] ELSE [] END | SET q:Touched)
FOREACH (_ IN CASE WHEN earned > 0 THEN [1] ELSE [] END | SET p:Rewarded)
FOREACH (_ IN CASE WHEN earned > 0 THEN [] ELSE [1] END | REMOVE p:Rewarded)
FOREACH (_ IN CASE WHEN earned >= 100 THEN [1] ELSE [] END | SET p:RichlyRewarded)
FOREACH (_ IN CASE WHEN earned >= 100 THEN [] ELSE [1] END | REMOVE p:RichlyRewarded)
FOREACH (_ IN CASE WHEN q:Frontier THEN [1] ELSE [] END |
  SET q.priority = coalesce(q.score, q.reward + $feedHintPoints * coalesce(q.feedHint, 0.0)))
RETURN p.url AS url, base - oldBase AS base, q.reward - oldReward AS reward, q:Frontier AS waits
