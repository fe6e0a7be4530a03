// Bring back what archived aliases point to, and the links that what stands for them carries
// mode: write
// params: $axons LIST<MAP> source and target URL, type (ALIAS_AXON, REDIRECTS_TO or CANONICAL_OF), properties; each once
// returns: nothing
// source: [000.prune]
UNWIND $axons AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:PageNeuron {url: row.target})
WITH row, s, t, CASE row.type WHEN 'CANONICAL_OF' THEN t ELSE s END AS points
WHERE CASE row.type
  WHEN 'ALIAS_AXON' THEN (s:Alias OR t:Alias) AND NOT EXISTS { (s)-[:LINK_AXON|ALIAS_AXON]->(t) }
  ELSE coalesce(points.fetchedAt <= row.properties.lastSeenAt, true)      // else it was asked again meanwhile
       AND NOT EXISTS { (points)-[:REDIRECTS_TO]->() } AND NOT EXISTS { (points)<-[:CANONICAL_OF]-() }
END
CREATE (s)-[a:$(row.type)]->(t)
SET a = row.properties
