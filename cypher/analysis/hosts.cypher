// Hosts by what their pages that pass a filter gave and cost
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER hosts
// returns: one row a host, those that were granted most first; points of seeds are no yield
// source: [000.evaluate]
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
WITH n, reduce(s = 0.0, g IN coalesce(n.grants, []) |
       s + CASE WHEN split(g, ' ')[1] = 'seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points
WITH n.host AS host, count(n) AS pages, count(CASE WHEN n:Fetched THEN 1 END) AS fetched,
     count(CASE WHEN n:Failed THEN 1 END) AS failed, count(CASE WHEN n:Frontier THEN 1 END) AS waiting,
     count(CASE WHEN n:Pruned THEN 1 END) AS pruned, count(CASE WHEN points > 0 THEN 1 END) AS earning,
     count(CASE WHEN n:JobFeed THEN 1 END) AS feeds, sum(points) AS granted, sum(n.reward) AS reward,
     sum(n.bytes) AS bytes
ORDER BY granted DESC, fetched DESC, host LIMIT $limit
OPTIONAL MATCH (h:Host {name: host})
RETURN host, pages, fetched, failed, waiting, pruned, earning, feeds, granted, reward, bytes,
       CASE WHEN fetched > 0 THEN granted / fetched END AS grantedPerPage, coalesce(h.requests, 0) AS requests, h.delayS AS delayS, h.latencyS AS latencyS,
       coalesce(h.failures, 0) AS failures, h.trouble AS trouble
ORDER BY granted DESC, fetched DESC, host
