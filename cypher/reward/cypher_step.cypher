// One distribution without GDS: read all that flows, then add the changes batch by batch
// mode: auto
// params: $distribute FLOAT share of its reward that a neuron passes on
//         $forget FLOAT share of its reward that a neuron loses
//         $batch INTEGER neurons a transaction = 10000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
//         $clips BOOLEAN whether a change may not make a reward negative = true
// returns: before and after (sums of reward), maxChange of one neuron, lost ([id, change] of neurons whose
//          batch was not committed)
// source: [000.distribute] [000.forget]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
MATCH (giver:PageNeuron) WHERE NOT giver:Pruned
CALL (giver) {
  MATCH (giver)-[a:LINK_AXON]-(p)
  RETURN collect([p, a.weight]) AS axons, sum(a.weight) AS strength
}
WITH gate, giver, axons, strength, coalesce(giver.reward, 0.0) AS reward
UNWIND [[giver, null]] + CASE WHEN strength > 0 THEN axons ELSE [] END AS flow
WITH gate, id(flow[0]) AS id,
     CASE WHEN flow[1] IS NULL THEN reward END AS own,
     CASE WHEN flow[1] IS NULL THEN -$forget * reward ELSE $distribute * reward * flow[1] / strength END AS part
WITH gate, id, sum(own) AS before, sum(part) AS change
CALL (gate, id, change) {
  SET gate.lockedBy = 'distribution'                          // lock out recorders for this batch
  WITH id, change
  // include: reward/change.part
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN sum(before) AS before, sum(before) + sum(change) AS after, max(abs(change)) AS maxChange,
       collect(CASE status.committed WHEN false THEN [id, change] END) AS lost
