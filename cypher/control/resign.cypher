// Leave what one worker does for all to another
// mode: write
// params: $worker STRING who did it
//         $duties LIST<STRING> names
// returns: nothing
// source: [000.distribute]
UNWIND $duties AS duty
MATCH (g:WriteGate {name: duty})
SET g:WriteGate
WITH g WHERE g.leasedBy = $worker
REMOVE g.leasedBy, g.leasedUntil
