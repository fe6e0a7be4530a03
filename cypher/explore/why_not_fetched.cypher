// Why pages failed or were left out
// mode: read
// params: $limit INTEGER reasons = 100
// returns: state, reason, pages, reward that lies on them, one of them as an example
// source: design of the graph
MATCH (p:PageNeuron&(Failed|Excluded))
WITH CASE WHEN p:Failed THEN 'failed' ELSE 'excluded' END AS state, p.reason AS reason,
     count(p) AS pages, sum(p.reward) AS reward, min(p.url) AS example
RETURN state, reason, pages, reward, example
ORDER BY pages DESC, reason LIMIT $limit
