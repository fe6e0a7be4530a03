// Free a projection; no error when it is not there
// mode: auto
// params: $projection STRING name of the projection
// returns: name
// source: [000.distribute]
CALL gds.graph.drop($projection, false) YIELD graphName
RETURN graphName AS name
