// Add changes of reward whose own batch was not committed
// mode: write
// params: $changes LIST<LIST<ANY>> pairs of node id and change of reward
//         $feedHintPoints FLOAT priority of a certain feed link = 100.0
// returns: nothing
// source: [000.distribute]
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
SET gate:WriteGate                                            // lock out recorders
WITH gate
UNWIND $changes AS change
MATCH (q:PageNeuron) WHERE id(q) = change[0] AND NOT q:Pruned
OPTIONAL MATCH (r:PageNeuron {url: q.aliasOf})                // folded meanwhile: its reward is there
WITH coalesce(r, q) AS p, change
SET p.reward = CASE WHEN p.reward + change[1] < 0 <= p.reward THEN 0.0     // it has been moved meanwhile
                    ELSE coalesce(p.reward, 0.0) + change[1] END
FOREACH (priority IN [x IN [p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0)]
                      WHERE p:Frontier AND p.readyAt IS NULL AND p.score IS NULL AND coalesce(abs(x - p.priority) > 0.1 * abs(p.priority), true)] |
  SET p.priority = priority)
