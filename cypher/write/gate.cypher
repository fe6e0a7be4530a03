// Let one recorder in
// mode: write
// params: $discoveries INTEGER pages that this transaction may discover = 0
// returns: discovered pages before these, damping by which residuals are kept, or null: none are; distributions, how many reward distributions there have been; forgets whether anything was forgotten on request
// source: design of the graph
MERGE (gate:WriteGate {name: 'record'})
SET gate.discovered = coalesce(gate.discovered, 0) + $discoveries
WITH gate
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN gate.discovered - $discoveries AS discovered, coalesce(max(m.distributions), 0) AS distributions, max(m.pushDamping) AS damping, count(m.forgets) > 0 AS forgets
