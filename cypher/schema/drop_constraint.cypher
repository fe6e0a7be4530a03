// Drop a constraint whose index has failed, to make it anew
// mode: auto
// params: $object STRING of the constraint
// returns: nothing
// source: design of the graph
DROP CONSTRAINT $object IF EXISTS
