// Put copied axons and pointers between pages into a graph
// mode: write
// params: $rows LIST<MAP> source and target URL, type, properties
// returns: how many have both ends
// source: design of the graph
UNWIND $rows AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:PageNeuron {url: row.target})
MERGE (s)-[a:$(row.type)]->(t)
SET a = row.properties
RETURN count(a) AS put
