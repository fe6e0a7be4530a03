// Say of all neurons that what they get is not known, so that the next push counts it
// mode: auto
// params: $batch INTEGER neurons a transaction = 10000
// returns: lost (how many neurons were in batches that were not committed)
// source: design of the reward
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
MATCH (p:PageNeuron) WHERE NOT p:Pruned
CALL (gate, p) {
  SET gate.lockedBy = 'push'                                  // lock out recorders for this batch
  WITH p WHERE NOT p:Pruned
  REMOVE p.inflow
  SET p:Touched
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN count(CASE status.committed WHEN false THEN 1 END) AS lost
