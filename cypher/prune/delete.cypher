// Turn archived neurons into tombstones, unless they have changed since they were archived
// mode: write
// params: $rows LIST<LIST> of prune/doomed: id of the node, neuronId, fetchedMs (-1: never), known axons, strength then
//         $below FLOAT reward under which a neuron goes
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $least INTEGER neurons that are to be left alive, whoever else prunes = 0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: neurons and axons deleted
// source: [000.prune]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
CALL (gate) { MATCH (:PageNeuron) RETURN count(*) AS pages }  // behind the lock: another one may have pruned meanwhile
CALL (gate) { MATCH (:Pruned) RETURN count(*) AS tombstones }
WITH CASE WHEN pages - tombstones > $least THEN pages - tombstones - $least ELSE 0 END AS room
UNWIND $rows AS row
MATCH (p:PageNeuron) WHERE id(p) = row[0] AND coalesce(p.neuronId, 0) = row[1]    // ids of nodes are used again
SET p:PageNeuron                                              // lock, then look: a claim may hold it
WITH row, p, room
WHERE p.reward / CASE WHEN $byStrength AND row[4] > 1 THEN row[4] ELSE 1.0 END < $below
  AND NOT (p:Pruned OR p:Seed OR p:Leased OR p:JobFeed) AND p.feedUrl IS NULL
  AND coalesce(p.fetchedAt.epochMillis, -1) = row[2]
  AND NOT EXISTS { (p)-[a:LINK_AXON]-(q) WHERE NOT (id(a) % 2147483648) * 2147483648 + id(q) % 2147483648 IN row[3] }
WITH coalesce(max(room), 0) AS room, collect(p) AS doomed
WITH doomed[..room] AS doomed
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
