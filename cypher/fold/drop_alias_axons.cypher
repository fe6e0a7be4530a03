// Delete links of which nothing has to be carried any more
// mode: write
// params: $pairs LIST<LIST<STRING>> source and target URL
// returns: nothing
// source: [000.graph]
UNWIND $pairs AS pair
MATCH (s:PageNeuron {url: pair[0]})
MATCH (t:PageNeuron {url: pair[1]})
MATCH (s)-[a:ALIAS_AXON]->(t)
DELETE a
