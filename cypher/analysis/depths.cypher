// Pages that pass a filter by their depth: links from a seed
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
// returns: one row a depth
// source: [000.newborn]
MATCH (n:PageNeuron) WHERE n.depth IS NOT NULL AND NOT n:Pruned AND
  // include: look/passes.part
WITH n, reduce(s = 0.0, g IN coalesce(n.grants, []) |
       s + CASE WHEN split(g, ' ')[1] = 'seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points
RETURN n.depth AS depth, count(n) AS pages, count(CASE WHEN n:Fetched THEN 1 END) AS fetched,
       count(CASE WHEN n:Frontier THEN 1 END) AS waiting, count(CASE WHEN n:JobFeed THEN 1 END) AS feeds,
       sum(points) AS granted, sum(n.reward) AS reward, avg(n.reward) AS meanReward, percentileCont(n.reward, 0.5) AS medianReward
ORDER BY depth
