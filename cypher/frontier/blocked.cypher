// Which of some hosts are blocked
// mode: read
// params: $names LIST<STRING> host keys
// returns: name of each
// source: design of the graph
UNWIND $names AS name
MATCH (h:Host {name: name}) WHERE h.blockedAt IS NOT NULL
RETURN h.name AS name
