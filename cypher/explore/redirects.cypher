// Redirects, from where to where
// mode: read
// params: $limit INTEGER redirects = 100
// returns: paths
// source: design of the graph
MATCH (from:PageNeuron:Excluded {reason: 'redirect'})
MATCH hop = (from)-[:REDIRECTS_TO]->(:PageNeuron)
RETURN hop
ORDER BY from.url LIMIT $limit
