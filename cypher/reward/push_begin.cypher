// From now on recorders say what they change; that all neurons are accounted for is said later
// mode: write
// params: $damping FLOAT share δ of reward that flows on
// returns: nothing
// source: design of the reward
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate.lockedBy = 'push'                                    // who records meanwhile has ended then
WITH count(gate) AS gates
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.pushDamping = $damping
REMOVE m.pushEpsilon
