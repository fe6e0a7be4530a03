// The hosts of some pages, in the order in which they are locked
// mode: read
// params: $urls LIST<STRING> pages
// returns: name of each host
// source: design of the graph
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
RETURN DISTINCT p.host AS name ORDER BY name
