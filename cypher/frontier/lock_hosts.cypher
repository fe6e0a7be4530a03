// Lock hosts, in the given order, before any of their pages
// mode: write
// params: $names LIST<STRING> host keys, sorted
// returns: nothing
// source: design of the graph
UNWIND $names AS name
MATCH (h:Host {name: name})
SET h:Host                                                           // writes nothing, but takes the lock
