// Take in what changed since the last push: grants, axons, newborn neurons
// mode: write
// params: $damping FLOAT share δ of reward that flows on
//         $epsilon FLOAT residual that a neuron may keep, in points a unit of strength
//         $limit INTEGER neurons at most = 5000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
// returns: taken neurons, active (those with more residual than they may keep), hosts whose best priority may have changed
// source: design of the reward; R. Andersen, F. Chung, K. Lang, Local Graph Partitioning using PageRank Vectors, 2006
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate.lockedBy = 'push'                                    // lock out recorders
WITH count(gate) AS gates
MATCH (u:Touched) USING SCAN u:Touched WHERE u:PageNeuron
WITH u LIMIT $limit
OPTIONAL MATCH (heir:PageNeuron {url: u.aliasOf})             // what stands for it has what it was granted
WITH u, heir, COLLECT { MATCH (f:Alias {aliasOf: u.url}) RETURN f } AS aliases
WITH u, heir, aliases, reduce(sum = coalesce(u.baseReward, 0.0), f IN aliases | sum + coalesce(f.baseReward, 0.0)) AS base
WITH collect([u, CASE WHEN heir IS NULL THEN base ELSE 0.0 END, [x IN [heir] WHERE NOT x:Pruned] + [f IN aliases WHERE f.held <> 0]]) AS found
CALL (found) {                                                // inflow that is not known is the sum over its axons
  UNWIND found AS each
  WITH each[0] AS u, each[1] AS held
  WITH u, held, u.inflow IS NULL AS unknown
  OPTIONAL MATCH (u)-[a:LINK_AXON]-(v) WHERE unknown
  WITH u, held, unknown, sum(coalesce(v.flowRate, 0.0) * a.weight) AS sum
  REMOVE u:Touched
  SET u.held = held, u.inflow = CASE WHEN unknown THEN sum ELSE u.inflow END
  WITH u, (1 - $damping) * held + $damping * u.inflow AS reward, coalesce(u.strength, 0.0) AS strength
  FOREACH (_ IN CASE WHEN abs(reward - coalesce(u.flowRate, 0.0) * strength) > $epsilon * strength THEN [1] ELSE [] END | SET u:Active)
  // include: reward/push_reward.part
  RETURN count(CASE WHEN u:Active THEN 1 END) AS active, collect(DISTINCT host) AS hosts
}
FOREACH (each IN found | FOREACH (other IN each[2] | SET other:Touched))
RETURN size(found) AS taken, active, hosts
