// How many neurons live, how many of them wait, and how many tombstones stand, from the count store
// mode: read
// params: none
// returns: neurons, waiting, tombstones
// source: [000.prune]
CALL () { MATCH (:PageNeuron) RETURN count(*) AS pages }
CALL () { MATCH (:Pruned) RETURN count(*) AS tombstones }
CALL () { MATCH (:Frontier) RETURN count(*) AS waiting }
RETURN pages - tombstones AS neurons, waiting, tombstones
