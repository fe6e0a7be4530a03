// Empty the graph but for what says whose it is
// mode: schema
// params: none
// returns: nothing
// source: a benchmark
MATCH (n) WHERE NOT n:Meta AND NOT n:WriteGate
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
