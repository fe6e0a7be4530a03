// Let one worker fold the parts of ended runs
// mode: write
// params: none
// returns: nothing
// source: design of the graph
MERGE (gate:WriteGate {name: 'model'})
SET gate:WriteGate
