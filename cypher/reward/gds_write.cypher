// Add what a distribution changed to the stored rewards, batch by batch beside a running crawl
// mode: auto
// params: $projection STRING name of the projection
//         $property STRING property that holds the result
//         $factor FLOAT what the result has to be multiplied by
//         $batch INTEGER neurons a transaction = 10000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
// returns: before and after (sums of reward), maxChange of one neuron, lost ([id, change] of neurons whose
//          batch was not committed)
// source: [000.distribute]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
CALL gds.graph.nodeProperty.stream($projection, $property) YIELD nodeId AS id, propertyValue
WITH gate, id, gds.util.nodeProperty($projection, id, 'reward') AS before, propertyValue
WITH gate, id, before, $factor * propertyValue - before AS change
CALL (gate, id, change) {
  SET gate.lockedBy = 'distribution'                          // lock out recorders for this batch
  WITH id, change
  MATCH (q:PageNeuron) WHERE id(q) = id AND NOT q:Pruned
  OPTIONAL MATCH (r:PageNeuron {url: q.aliasOf})              // folded meanwhile: its reward is there
  WITH coalesce(r, q) AS p, change
  SET p.reward = CASE WHEN p.reward + change < 0 <= p.reward THEN 0.0     // it has been moved meanwhile
                      ELSE coalesce(p.reward, 0.0) + change END
  FOREACH (priority IN [x IN [p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0)]
                        WHERE p:Frontier AND p.readyAt IS NULL AND p.score IS NULL AND coalesce(abs(x - p.priority) > 0.1 * abs(p.priority), true)] |
    SET p.priority = priority)
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN sum(before) AS before, sum(before) + sum(change) AS after, max(abs(change)) AS maxChange,
       collect(CASE status.committed WHEN false THEN [id, change] END) AS lost
