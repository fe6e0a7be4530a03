// Wait until every index is online
// mode: auto
// params: $timeoutS INTEGER seconds = 300
// returns: nothing
// source: design of the graph
CALL db.awaitIndexes($timeoutS)
