// What leads from each page to pages and jobs, for a copy of the graph
// mode: read
// params: none
// returns: source URL; axons: type, URL of a page or key of a job, properties
// source: design of the graph
MATCH (p:PageNeuron)
WITH p, COLLECT {
  MATCH (p)-[a]->(t) WHERE NOT a:HAS_TEXT
  RETURN [type(a), CASE WHEN t:Job THEN t.key ELSE t.url END, properties(a)]
} AS axons
WHERE size(axons) > 0
RETURN p.url AS source, axons
