// Turn archived neurons into tombstones, unless they have changed since they were archived
// mode: write
// params: $rows LIST<MAP> url, fetchedMs, sources and targets (URLs of archived axons into and out of it), strength then
//         $below FLOAT reward under which a neuron goes
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: neurons and axons deleted
// source: [000.prune]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
UNWIND $rows AS row
MATCH (p:PageNeuron {url: row.url})
SET p:PageNeuron                                              // lock, then look: a claim may hold it
WITH row, p
WHERE p.reward / CASE WHEN $byStrength AND coalesce(row.strength, p.strength) > 1 THEN coalesce(row.strength, p.strength) ELSE 1.0 END < $below
  AND NOT (p:Pruned OR p:Seed OR p:Leased OR p:JobFeed) AND p.feedUrl IS NULL
  AND coalesce(p.fetchedAt.epochMillis, -1) = coalesce(row.fetchedMs, -1)
  AND NOT EXISTS { (p)<-[:LINK_AXON]-(q) WHERE NOT q.url IN row.sources }
  AND NOT EXISTS { (p)-[:LINK_AXON]->(q) WHERE NOT q.url IN row.targets }
WITH collect(p) AS doomed
CALL (doomed) {                                               // those that go as well lose these sums below
  UNWIND doomed AS p
  MATCH (p)-[a:LINK_AXON]-(q)
  WITH q, sum(a.weight) AS weight, sum(CASE WHEN endNode(a) = q THEN 1 ELSE 0 END) AS links
  SET q.strength = q.strength - weight, q.inLinks = q.inLinks - links
  FOREACH (_ IN CASE WHEN q.inflow IS NULL THEN [] ELSE [1] END | REMOVE q.inflow SET q:Touched)    // to be counted anew
}
CALL (doomed) {
  UNWIND doomed AS p
  MATCH (p)-[a:LINK_AXON]-()
  DELETE a
  RETURN count(DISTINCT a) AS axons
}
CALL (doomed) {
  UNWIND doomed AS p
  MATCH (p)-[a:ALIAS_AXON|REDIRECTS_TO|CANONICAL_OF]-() WHERE p:Alias     // what stood for it is a tombstone
  DELETE a
}
CALL (doomed) {
  UNWIND doomed AS p
  MATCH (p)-[:HAS_TEXT]->(t)
  DETACH DELETE t
}
FOREACH (p IN doomed |
  REMOVE p:Frontier:Fetched:Failed:Excluded:Rewarded:RichlyRewarded:NeedsScript:Active:Touched:Alias
  SET p:Pruned
  SET p = {url: p.url, neuronId: p.neuronId, host: p.host, fetchedAt: p.fetchedAt, prunedBelow: $below,
           prunedAt: datetime({epochMillis: coalesce($nowMs, timestamp())})})
RETURN size(doomed) AS neurons, axons
