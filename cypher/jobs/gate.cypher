// Let one writer of jobs in
// mode: write
// params: none
// returns: batch, the number of this transaction: later ones have greater numbers, and are seen later
// source: design of the graph
MERGE (gate:WriteGate {name: 'jobs'})
SET gate:WriteGate, gate.token = coalesce(gate.token, 0) + 1
RETURN gate.token AS batch
