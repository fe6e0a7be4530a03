// Add pages to start from
// mode: write
// params: $seeds LIST<MAP> url, id, host, reward in points, grant, number among these; sorted by host
//         $bornAt INTEGER reward distributions so far
//         $discovered INTEGER pages discovered before
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $order STRING by which pages wait: a new seed's place in bfs and dfs is its number = "reward"
//         $grantShare FLOAT share of a grant that is reward at once, the rest is by the next distribution = 1.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, host, born whether it is new, waiting whether it is to be fetched, alias whether another page stands for it
// source: [000.order]
UNWIND $seeds AS row
MERGE (p:PageNeuron {url: row.url})
SET p:PageNeuron
WITH row, p, properties(p) AS seen                                  // lock, then look
WITH row, p, seen.reward IS NULL AS born, coalesce(seen.reward, 0.0) AS reward, coalesce(seen.grants, []) AS held
FOREACH (_ IN CASE WHEN born THEN [1] ELSE [] END |
  REMOVE p:Pruned, p.prunedAt, p.prunedBelow, p.fetchedAt
  SET p.neuronId = row.id, p.host = row.host, p.reward = 0.0, p.baseReward = 0.0, p.grants = [],
      p.discoveredAt = datetime({epochMillis: coalesce($nowMs, timestamp())}), p.bornAt = $bornAt,
      p.strength = 0.0, p.inLinks = 0, p.number = $discovered + row.number, p.cash = 1.0,
      p.score = CASE $order WHEN 'dfs' THEN toFloat($discovered + row.number) WHEN 'bfs' THEN 1.0 / (1.0 + $discovered + row.number) END)
WITH row, p, born, reward, held, CASE WHEN any(g IN held WHERE g ENDS WITH ' seed seed') THEN [] ELSE [row.grant] END AS grants
WITH row, p, born, reward, held, grants, row.reward * size(grants) AS points
SET p:Seed, p.depth = 0, p.reward = reward + $grantShare * points, p.baseReward = p.baseReward + points, p.grants = held + grants
WITH row, p, born,
     NOT (p:Fetched OR p:Leased) AND (p.fetchedAt IS NULL OR p:Failed AND (p.status IS NULL OR p.status >= 500)) AS waiting
FOREACH (_ IN CASE WHEN waiting THEN [1] ELSE [] END |
  REMOVE p:Failed:Excluded, p.reason, p.error, p.tries, p.putOffs, p.readyAt
  SET p:Frontier, p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0)))
RETURN p.url AS url, p.host AS host, born, waiting, p:Alias AS alias
