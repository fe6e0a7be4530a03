// The best neighbours of some pages
// mode: read
// params: $urls LIST<STRING> canonical URLs
//         $known LIST<STRING> URLs that are no answer
//         $limit INTEGER pages
// returns: url of each, the richest first
// source: [000.graph]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})-[:LINK_AXON]-(q:PageNeuron)
WHERE NOT q.url IN $known
WITH DISTINCT q
RETURN q.url AS url
ORDER BY coalesce(q.reward, 0.0) DESC, q.url LIMIT $limit
