// Let one writer of jobs in
// mode: write
// params: none
// returns: batch, the number of this transaction: later ones have greater numbers, and are seen later;
//          forgets whether anything was forgotten on request
// source: design of the graph
MERGE (gate:WriteGate {name: 'jobs'})
SET gate:WriteGate, gate.token = coalesce(gate.token, 0) + 1
WITH gate
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN gate.token AS batch, count(m.forgets) > 0 AS forgets
