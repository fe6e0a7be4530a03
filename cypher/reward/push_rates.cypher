// Say of all neurons what flows along their axons, by the reward that was computed for them
// mode: auto
// params: $batch INTEGER neurons a transaction = 10000
// returns: lost (how many neurons were in batches that were not committed)
// source: design of the reward
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
MATCH (p:PageNeuron) WHERE NOT p:Pruned
CALL (gate, p) {
  SET gate.lockedBy = 'push'                                  // lock out recorders for this batch
  WITH p WHERE NOT p:Pruned
  SET p.flowRate = CASE WHEN p.strength > 1e-9 THEN coalesce(p.reward, 0.0) / p.strength ELSE 0.0 END
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN count(CASE status.committed WHEN false THEN 1 END) AS lost
