// The axons of pairs of pages
// mode: read
// params: $pairs LIST<LIST<STRING>> source and target URL
// returns: source, target, properties of each that exists
// source: [000.graph]
UNWIND $pairs AS pair
MATCH (s:PageNeuron {url: pair[0]})
MATCH (t:PageNeuron {url: pair[1]})
MATCH (s)-[a:LINK_AXON]->(t)
RETURN pair[0] AS source, pair[1] AS target, properties(a) AS properties
