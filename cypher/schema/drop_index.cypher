// Drop an index that has failed, to make it anew
// mode: auto
// params: $object STRING of the index
// returns: nothing
// source: design of the graph
DROP INDEX $object IF EXISTS
