// Empty the demo's graph; what it is stays noted
// mode: auto
// params: none
// returns: nothing
// source: the demo shows another web each time
MATCH (n) WHERE NOT n:Meta AND NOT n:WriteGate
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
