// The hosts that take longest to answer
// mode: read
// params: $limit INTEGER hosts = 5
// returns: host, latencyS, delayS, requests
// source: design of the command line
MATCH (h:Host) WHERE h.latencyS IS NOT NULL AND h.name IS NOT NULL
WITH h ORDER BY h.latencyS DESC LIMIT $limit
RETURN h.name AS host, h.latencyS AS latencyS, h.delayS AS delayS, coalesce(h.requests, 0) AS requests
