// The indexes, those of constraints included, and whether they can be used
// mode: read
// params: none
// returns: name, state (ONLINE, POPULATING or FAILED), percent built
// source: design of the graph
SHOW INDEXES YIELD name, state, populationPercent
RETURN name, state, populationPercent AS percent
