// Neurons that pruning would delete
// mode: read
// params: $below FLOAT reward under which a neuron goes
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $most INTEGER neurons at most = 9223372036854775807
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: ids of nodes, in one row
// source: [000.prune]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH coalesce(max(m.distributions), 0) AS distributions,
     datetime({epochMillis: coalesce($nowMs, timestamp()) - $spareMs}) AS since
MATCH (p:PageNeuron) WHERE NOT p:Pruned AND
  // include: prune/key.part
  < $below
WITH p,
  // include: prune/spared.part
WITH p WHERE spared IS NULL LIMIT $most
RETURN collect(id(p)) AS ids
