// Let the oldest tombstones go: what they stood for may be found and fetched again
// mode: write
// params: $beforeMs INTEGER milliseconds since 1970: younger ones stay
//         $most INTEGER tombstones at most
// returns: tombstones gone
// source: [000.prune]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
CALL () {
  MATCH (t:Pruned) USING INDEX t:Pruned(prunedAt)
  WHERE t.prunedAt < datetime({epochMillis: $beforeMs}) AND NOT EXISTS { (t)--() }      // jobs may hang on it
  WITH t ORDER BY t.prunedAt LIMIT $most
  RETURN t
}
SET t:PageNeuron                                              // lock, then look: a seed may revive it
WITH t WHERE t:Pruned AND NOT EXISTS { (t)--() }
DELETE t
RETURN count(*) AS tombstones
