// How many neurons and axons take part in a distribution, and what the last one cost
// mode: read
// params: none
// returns: neurons, axons (both from the count store), lastS seconds an iteration, lastAxons; null before the first
// source: [000.distribute]
CALL () { MATCH (p:PageNeuron) RETURN count(p) AS pages }
CALL () { MATCH (p:Pruned) RETURN count(p) AS tombstones }
CALL () { MATCH ()-[a:LINK_AXON]->() RETURN count(a) AS axons }
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH pages - tombstones AS neurons, axons, head(collect(m)) AS m
RETURN neurons, axons, m.distributionS AS lastS, m.distributionAxons AS lastAxons
