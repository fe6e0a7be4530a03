// Which of some names for many hosts are blocked
// mode: read
// params: $names LIST<STRING> names
// returns: name, reason of each
// source: design of the graph
UNWIND $names AS name
MATCH (h:Host {name: name}) WHERE h.blockedAt IS NOT NULL
RETURN h.name AS name, h.blockReason AS reason
