// Put copied models into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Model {name: row.properties.name, part: row.properties.part})
SET n = row.properties
