// Bring archived axons back whose ends are both there
// mode: write
// params: $axons LIST<MAP> source and target URL, properties; each pair once
// returns: axons brought back
// source: [000.prune]
UNWIND $axons AS row
MATCH (s:PageNeuron {url: row.source}) WHERE NOT s:Pruned
MATCH (t:PageNeuron {url: row.target}) WHERE NOT t:Pruned
WITH row, s, t WHERE NOT EXISTS { (s)-[:LINK_AXON]->(t) }
CREATE (s)-[a:LINK_AXON]->(t)
SET a = row.properties,
    s.strength = coalesce(s.strength, 0.0) + a.weight,
    t.strength = coalesce(t.strength, 0.0) + a.weight, t.inLinks = coalesce(t.inLinks, 0) + 1
FOREACH (p IN [s, t] | FOREACH (_ IN CASE WHEN p.inflow IS NULL THEN [] ELSE [1] END | REMOVE p.inflow SET p:Touched))
RETURN count(a) AS axons
