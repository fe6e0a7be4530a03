// Let the residuals that are too great flow on, once
// mode: write
// params: $damping FLOAT share δ of reward that flows on
//         $epsilon FLOAT residual that a neuron may keep, in points a unit of strength
//         $limit INTEGER neurons at most = 5000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
// returns: pushed neurons, reached (neurons that got inflow from them), hosts whose best priority may have changed
// source: design of the reward; R. Andersen, F. Chung, K. Lang, Local Graph Partitioning using PageRank Vectors, 2006
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate.lockedBy = 'push'                                    // lock out recorders
WITH count(gate) AS gates
MATCH (u:Active) USING SCAN u:Active WHERE u:PageNeuron
WITH u LIMIT $limit
WITH u, coalesce(u.strength, 0.0) AS strength, (1 - $damping) * coalesce(u.held, 0.0) + $damping * coalesce(u.inflow, 0.0) AS reward
WITH u, coalesce(u.flowRate, 0.0) AS old, CASE WHEN strength > 1e-9 THEN reward / strength ELSE 0.0 END AS rate
WITH collect([u, rate, rate - old]) AS pushed                 // all of them, before anything flows
FOREACH (each IN pushed | FOREACH (u IN [each[0]] | REMOVE u:Active SET u.flowRate = each[1]))
WITH pushed
CALL (pushed) {
  UNWIND pushed AS each
  WITH each[0] AS from, each[2] AS more
  MATCH (from)-[a:LINK_AXON]-(u)
  WITH u, sum(more * a.weight) AS more
  SET u.inflow = u.inflow + more                              // one that is not known stays so
  WITH u, (1 - $damping) * coalesce(u.held, 0.0) + $damping * u.inflow AS reward, coalesce(u.strength, 0.0) AS strength
  WHERE reward IS NOT NULL
  FOREACH (_ IN CASE WHEN abs(reward - coalesce(u.flowRate, 0.0) * strength) > $epsilon * strength THEN [1] ELSE [] END | SET u:Active)
  // include: reward/push_reward.part
  RETURN count(*) AS reached, collect(DISTINCT host) AS hosts
}
RETURN size(pushed) AS pushed, reached, hosts
