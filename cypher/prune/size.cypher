// How many neurons live and how many tombstones stand, from the count store
// mode: read
// params: none
// returns: neurons, tombstones
// source: [000.prune]
CALL () { MATCH (:PageNeuron) RETURN count(*) AS pages }
CALL () { MATCH (:Pruned) RETURN count(*) AS tombstones }
RETURN pages - tombstones AS neurons, tombstones
