// Put into a graph which page lists which job
// mode: write
// params: $rows LIST<MAP> source URL, target key of the job, properties
// returns: how many have both ends
// source: design of the graph
UNWIND $rows AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:Job {key: row.target})
MERGE (s)-[a:LISTS]->(t)
SET a = row.properties
RETURN count(a) AS put
