// Put copied hosts into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Host {name: row.properties.name})
SET n = row.properties
