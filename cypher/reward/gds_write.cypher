// Add what a distribution changed to the stored rewards, batch by batch beside a running crawl
// mode: auto
// params: $projection STRING name of the projection
//         $property STRING property that holds the result
//         $factor FLOAT what the result has to be multiplied by
//         $less STRING property to be subtracted from it = null
//         $batch INTEGER neurons a transaction = 10000
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
//         $clips BOOLEAN whether a change may not make a reward negative = true
// returns: before and after (sums of reward), maxChange of one neuron, lost ([id, change] of neurons whose
//          batch was not committed)
// source: [000.distribute]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
CALL gds.graph.nodeProperty.stream($projection, $property) YIELD nodeId AS id, propertyValue
WITH gate, id, gds.util.nodeProperty($projection, id, 'reward') AS before,
     propertyValue - CASE WHEN $less IS NULL THEN 0.0 ELSE gds.util.nodeProperty($projection, id, $less) END AS result
WITH gate, id, before, $factor * result - before AS change
CALL (gate, id, change) {
  SET gate.lockedBy = 'distribution'                          // lock out recorders for this batch
  WITH id, change
  // include: reward/change.part
} IN TRANSACTIONS OF $batch ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN sum(before) AS before, sum(before) + sum(change) AS after, max(abs(change)) AS maxChange,
       collect(CASE status.committed WHEN false THEN [id, change] END) AS lost
