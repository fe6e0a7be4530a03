// Free the projections of runs that were killed; to be called in one's turn, so that no run is alive
// mode: auto
// params: $prefix STRING how the names of these projections begin
// returns: name of each projection that was freed
// source: [000.distribute]
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database
WITH here, graphName, database WHERE graphName STARTS WITH $prefix AND database = here
CALL gds.graph.drop(graphName, false) YIELD graphName AS name
RETURN name
