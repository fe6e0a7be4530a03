// Bring archived neurons back, unless they have been born again
// mode: write
// params: $rows LIST<MAP> url, labels, properties, text (properties of its PageText, or null)
// returns: neurons brought back
// source: [000.prune]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
UNWIND $rows AS row
MERGE (p:PageNeuron {url: row.url})
ON CREATE SET p:Pruned                                        // its tombstone is gone as well
WITH row, p WHERE p:Pruned
REMOVE p:Pruned
SET p:$(row.labels)
SET p = row.properties
SET p.strength = 0.0, p.inLinks = 0                           // restoring axons counts them again
REMOVE p:Active, p.flowRate, p.inflow, p.held
FOREACH (text IN CASE WHEN row.text IS NULL THEN [] ELSE [row.text] END |
  CREATE (p)-[:HAS_TEXT]->(t:PageText) SET t = text)
RETURN count(p) AS neurons
