// Let the emptied graph count its distributions from the beginning
// mode: write
// params: none
// returns: nothing
// source: the demo shows another web each time
MATCH (m:Meta {graph: 'demo'}) SET m.distributions = 0
