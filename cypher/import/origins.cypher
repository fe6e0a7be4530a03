// Put copied rules of robots.txt into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Origin {key: row.properties.key})
SET n = row.properties
