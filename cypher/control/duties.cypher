// Make what one worker at a time does for all, where it is not there yet
// mode: write
// params: $duties LIST<STRING> names
// returns: nothing
// source: [000.distribute]
UNWIND $duties AS duty
MERGE (:WriteGate {name: duty})
