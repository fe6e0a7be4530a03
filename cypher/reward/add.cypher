// Add changes of reward whose own batch was not committed
// mode: write
// params: $changes LIST<LIST<ANY>> pairs of node id and change of reward
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
//         $clips BOOLEAN whether a change may not make a reward negative = true
// returns: nothing
// source: [000.distribute]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
UNWIND $changes AS each
WITH each[0] AS id, each[1] AS change
CALL (id, change) {
  // include: reward/change.part
}
