// Delete axons, then neurons and hosts
// mode: auto
// params: none
// returns: nothing
// source: a benchmark
MATCH ()-[a:LINK_AXON]->() CALL (a) { DELETE a } IN TRANSACTIONS OF 20000 ROWS;
MATCH (p:PageNeuron|Host) CALL (p) { DELETE p } IN TRANSACTIONS OF 20000 ROWS
