// Let one recorder in
// mode: write
// params: none
// returns: distributions, how many reward distributions there have been; forgets whether anything was forgotten on request
// source: design of the graph
MERGE (gate:WriteGate {name: 'record'})
SET gate:WriteGate
WITH gate
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN coalesce(max(m.distributions), 0) AS distributions, count(m.forgets) > 0 AS forgets
