// What changed since yesterday: pages, feeds and jobs
// mode: read
// params: $hours INTEGER hours to look back = 24
//         $limit INTEGER kinds of change = 20
// returns: what, how many, when last, one of them as an example; what did not happen is left out
// source: design of the graph
WITH datetime() - duration({hours: $hours}) AS since
CALL (since) {
  MATCH (p:PageNeuron) WHERE p.discoveredAt >= since
  RETURN 'pages found' AS what, 1 AS place, count(p) AS count, max(p.discoveredAt) AS lastAt,
         max(p.url) AS example
  UNION ALL
  MATCH (p:PageNeuron:Fetched) WHERE p.fetchedAt >= since
  RETURN 'pages fetched' AS what, 2 AS place, count(p) AS count, max(p.fetchedAt) AS lastAt,
         max(p.url) AS example
  UNION ALL
  MATCH (p:PageNeuron:Rewarded) WHERE p.fetchedAt >= since AND NOT p:Seed
  RETURN 'pages fetched that a rule pays' AS what, 3 AS place, count(p) AS count,
         max(p.fetchedAt) AS lastAt, max(p.url) AS example
  UNION ALL
  MATCH (p:PageNeuron:Failed) WHERE p.fetchedAt >= since OR p.discoveredAt >= since
  RETURN 'pages failed' AS what, 4 AS place, count(p) AS count,
         max(coalesce(p.fetchedAt, p.discoveredAt)) AS lastAt, max(p.url) AS example
  UNION ALL
  MATCH (p:PageNeuron:Pruned) WHERE p.prunedAt >= since
  RETURN 'pages pruned' AS what, 5 AS place, count(p) AS count, max(p.prunedAt) AS lastAt,
         max(p.url) AS example
  UNION ALL
  MATCH (p:PageNeuron:JobFeed) WHERE p.discoveredAt >= since
  RETURN 'job feeds found' AS what, 6 AS place, count(p) AS count, max(p.discoveredAt) AS lastAt,
         max(p.url) AS example
  UNION ALL
  MATCH (j:Job) WHERE j.key IS NOT NULL AND j.firstSeenAt >= since
  RETURN 'jobs new' AS what, 7 AS place, count(j) AS count, max(j.firstSeenAt) AS lastAt,
         max(j.title) AS example
  UNION ALL
  MATCH (j:Job) WHERE j.key IS NOT NULL AND j.changedAt >= since AND j.firstSeenAt < j.changedAt
  RETURN 'jobs changed' AS what, 8 AS place, count(j) AS count, max(j.changedAt) AS lastAt,
         max(j.title) AS example
  UNION ALL
  MATCH (j:Job) WHERE j.key IS NOT NULL AND j.goneAt >= since
  RETURN 'jobs gone' AS what, 9 AS place, count(j) AS count, max(j.goneAt) AS lastAt,
         max(j.title) AS example
}
RETURN what, count, lastAt, example
ORDER BY place LIMIT $limit
