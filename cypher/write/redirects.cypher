// Move the reward of redirecting pages to where they redirect
// mode: write
// params: $redirects LIST<MAP> url, target, waitS seconds that the target is to wait
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, host of the target, feedUrl that the target leads to
// source: [000.graph]
UNWIND $redirects AS row
MATCH (a:PageNeuron {url: row.url})
MATCH (b:PageNeuron {url: row.target}) WHERE NOT b:Pruned
SET b.reward = b.reward + a.reward, a.reward = 0.0
FOREACH (_ IN CASE WHEN a:Seed THEN [1] ELSE [] END | SET b:Seed)
FOREACH (_ IN CASE WHEN b:Frontier AND b.readyAt IS NULL THEN [1] ELSE [] END |
  SET b.priority = b.reward + $feedHintPoints * coalesce(b.feedHint, 0.0))
FOREACH (_ IN CASE WHEN b:Frontier AND row.waitS > 0 THEN [1] ELSE [] END |
  SET b.priority = null,
      b.readyAt = datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({seconds: row.waitS}))
RETURN a.url AS url, b.host AS host, b.feedUrl AS feedUrl
