// Let the emptied graph begin anew: no distribution, no evaluation
// mode: write
// params: none
// returns: nothing
// source: the demo shows another web each time
MATCH (m:Meta {graph: 'demo'}) SET m.distributions = 0
REMOVE m.rulesDigest, m.rulesName, m.evaluatedAt
