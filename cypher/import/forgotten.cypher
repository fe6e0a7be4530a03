// Put copied hashes of what was forgotten into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Forgotten {key: row.properties.key})
SET n = row.properties
