// Let hosts be asked again that a name had blocked
// mode: write
// params: $wide STRING the name: example.org:* or *.example.org
// returns: name of each host that it had blocked
// source: design of the graph
MATCH (h:Host) USING INDEX h:Host(blockedAt) WHERE h.blockedAt IS NOT NULL AND h.blockedAs = $wide
WITH h ORDER BY h.name
SET h:Host                                                           // lock, then look
WITH h, properties(h) AS seen WHERE seen.blockedAs = $wide
REMOVE h.blockedAt, h.blockReason, h.blockedAs
RETURN h.name AS name
