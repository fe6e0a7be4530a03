// Put copied locks and their counters into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:WriteGate {name: row.properties.name})
SET n = row.properties
