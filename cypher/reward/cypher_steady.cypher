// One round towards the steady reward without GDS: r' = (1 - δ) · granted + δ · Pᵀ · r, added batch by batch
// mode: auto
// params: $damping FLOAT share δ of reward that flows on
//         $batch INTEGER neurons a transaction = 10000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
//         $clips BOOLEAN whether a change may not make a reward negative = true
// returns: before and after (sums of reward), maxChange of one neuron, moved (sum of all changes without their signs),
//          granted (sum of what was granted, without signs), lost ([id, change] of neurons whose batch was not committed)
// source: [000.distribute]; A. N. Langville, C. D. Meyer, Deeper Inside PageRank, 2004, section 5.2
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
MATCH (giver:PageNeuron) WHERE NOT giver:Pruned
OPTIONAL MATCH (heir:PageNeuron {url: giver.aliasOf})         // what stands for it has what it was granted
CALL (giver) {
  MATCH (giver)-[a:LINK_AXON]-(p)
  RETURN collect([p, a.weight]) AS axons, sum(a.weight) AS strength
}
WITH gate, giver, coalesce(heir, giver) AS heir, axons, strength, coalesce(giver.reward, 0.0) AS reward,
     coalesce(giver.baseReward, 0.0) AS base
UNWIND [[id(giver), -reward, reward, 0.0], [id(heir), (1 - $damping) * base, 0.0, abs(base)]] +
       CASE WHEN strength > 0 THEN [x IN axons | [id(x[0]), $damping * reward * x[1] / strength, 0.0, 0.0]] ELSE [] END AS flow
WITH gate, flow[0] AS id, sum(flow[1]) AS change, sum(flow[2]) AS before, sum(flow[3]) AS granted
CALL (gate, id, change) {
  SET gate.lockedBy = 'distribution'                          // lock out recorders for this batch
  WITH id, change
  // include: reward/change.part
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN sum(before) AS before, sum(before) + sum(change) AS after, max(abs(change)) AS maxChange,
       sum(abs(change)) AS moved, sum(granted) AS granted,
       collect(CASE status.committed WHEN false THEN [id, change] END) AS lost
