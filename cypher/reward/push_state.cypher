// By which figures residuals are kept
// mode: read
// params: none
// returns: damping and epsilon (null until all neurons are accounted for), neurons; one row
// source: design of the reward
CALL () { MATCH (p:PageNeuron) RETURN count(p) AS pages }
CALL () { MATCH (p:Pruned) RETURN count(p) AS tombstones }
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH pages - tombstones AS neurons, head(collect(m)) AS m
RETURN m.pushDamping AS damping, m.pushEpsilon AS epsilon, neurons
