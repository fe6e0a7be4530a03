// What pruning would delete, and what it would spare
// mode: read
// params: $below FLOAT reward under which a neuron goes
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $sample INTEGER neurons to show from each end = 5
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: spared (seed, leased, feed, alias, newborn; null for what goes), neurons, axons that go with them, poorest and
//          richest of them as url, reward and byStrength (reward by strength, or null)
// source: [000.prune]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH coalesce(max(m.distributions), 0) AS distributions,
     datetime({epochMillis: coalesce($nowMs, timestamp()) - $spareMs}) AS since
MATCH (p:PageNeuron) WHERE NOT p:Pruned
WITH p, distributions, since,
  // include: prune/key.part
  AS key
WITH p, key, distributions, since WHERE key < $below
WITH p, key,
  // include: prune/spared.part
WITH spared, collect(p) AS neurons, CASE WHEN spared IS NULL THEN collect(p) ELSE [] END AS doomed,
     CASE WHEN spared IS NULL THEN collect([p, key]) ELSE [] END AS keyed
CALL (doomed) {
  UNWIND doomed AS p
  RETURN sum(COUNT { (p)-[:LINK_AXON]-() }) - sum(COUNT { (p)-[:LINK_AXON]->(q) WHERE q IN doomed }) AS axons
}
CALL (keyed) {
  UNWIND keyed AS each WITH each[0] AS p, each[1] AS key ORDER BY key, p.url LIMIT $sample
  RETURN collect(p {.url, .reward, byStrength: CASE WHEN $byStrength THEN key END}) AS poorest
}
CALL (keyed) {
  UNWIND keyed AS each WITH each[0] AS p, each[1] AS key ORDER BY key DESC, p.url LIMIT $sample
  RETURN collect(p {.url, .reward, byStrength: CASE WHEN $byStrength THEN key END}) AS richest
}
RETURN spared, size(neurons) AS neurons, axons, poorest, richest
