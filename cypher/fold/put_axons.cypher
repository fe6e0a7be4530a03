// Make or change axons
// mode: write
// params: $axons LIST<MAP> source and target URL, properties
// returns: nothing
// source: [000.graph]
UNWIND $axons AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:PageNeuron {url: row.target})
MERGE (s)-[a:LINK_AXON]->(t)
SET a = row.properties
