// Put copied runs into a graph
// mode: write
// params: $rows LIST<MAP> properties
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (n:Crawl {id: row.properties.id})
SET n = row.properties
