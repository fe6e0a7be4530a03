// Fix how reward flows in this graph
// mode: write
// params: $mode STRING neural or steady
//         $change BOOLEAN whether a mode that stands already is changed = false
// returns: mode that stands now
// source: [000.distribute]
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.rewardMode = CASE WHEN $change THEN $mode ELSE coalesce(m.rewardMode, $mode) END,
    m.pushDamping = CASE WHEN m.rewardMode = 'steady' THEN m.pushDamping END      // no residuals are kept in neural
RETURN m.rewardMode AS mode
