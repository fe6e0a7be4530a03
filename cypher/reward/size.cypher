// How many neurons and axons take part in a distribution
// mode: read
// params: none
// returns: neurons, axons (both from the count store)
// source: [000.distribute]
CALL () { MATCH (p:PageNeuron) RETURN count(p) AS pages }
CALL () { MATCH (p:Pruned) RETURN count(p) AS tombstones }
CALL () { MATCH ()-[a:LINK_AXON]->() RETURN count(a) AS axons }
RETURN pages - tombstones AS neurons, axons
