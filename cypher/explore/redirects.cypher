// Redirects and canonical forms: which page stands for which
// mode: read
// params: $limit INTEGER pairs of pages = 100
// returns: paths; an :Alias is a page for which the other stands
// source: design of the graph
MATCH hop = (from:PageNeuron)-[:REDIRECTS_TO|CANONICAL_OF]->(:PageNeuron)
RETURN hop
ORDER BY from:Alias DESC, from.url LIMIT $limit
