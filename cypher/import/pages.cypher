// Put copied pages into a graph
// mode: write
// params: $rows LIST<MAP> labels, properties, text (properties of its PageText, or null)
// returns: nothing
// source: design of the graph
UNWIND $rows AS row
MERGE (p:PageNeuron {url: row.properties.url})
SET p:$(row.labels)
SET p = row.properties
WITH p, row WHERE row.text IS NOT NULL
MERGE (p)-[:HAS_TEXT]->(t:PageText)
SET t = row.text
