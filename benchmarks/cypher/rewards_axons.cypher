// Create a batch of axons
// mode: write
// params: $sources LIST<INTEGER> ids
//         $targets LIST<INTEGER> ids
//         $weights LIST<FLOAT>
// returns: nothing
// source: a benchmark
UNWIND range(0, size($sources) - 1) AS i
MATCH (s) WHERE id(s) = $sources[i]
MATCH (t) WHERE id(t) = $targets[i]
CREATE (s)-[:LINK_AXON {weight: $weights[i]}]->(t)
