// Pages that redirected before there were aliases are asked for once more, so that they fold
// mode: schema
// params: none
// returns: nothing
// source: [000.order]
MATCH (a:Excluded)-[:REDIRECTS_TO]->()
WHERE a.reason = 'redirect' AND NOT a:Alias AND NOT a:Pruned
CALL (a) {
  SET a:PageNeuron
  WITH a WHERE a:Excluded AND NOT a:Alias
  REMOVE a:Excluded
  SET a:Frontier, a.reason = null, a.error = null, a.tries = 0, a.priority = a.reward
  MERGE (:Host {name: a.host})
} IN TRANSACTIONS OF 1000 ROWS;
