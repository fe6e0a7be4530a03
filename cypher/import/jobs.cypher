// Put copied jobs into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Job {key: row.properties.key})
SET n = row.properties
