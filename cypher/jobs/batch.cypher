// The number of the newest batch of jobs that was written
// mode: read
// params: none
// returns: batch
// source: design of the graph
OPTIONAL MATCH (gate:WriteGate {name: 'jobs'})
RETURN coalesce(gate.token, 0) AS batch
