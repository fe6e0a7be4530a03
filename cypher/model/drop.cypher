// Delete parts that were folded, or that nobody can read
// mode: write
// params: $scorer STRING of the scorer
//         $parts LIST<STRING> which
// returns: nothing
// source: design of the graph
UNWIND $parts AS part
MATCH (m:Model {name: $scorer, part: part})
DELETE m
