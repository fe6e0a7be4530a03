// The hosts with the best waiting pages
// mode: read
// params: $hosts INTEGER hosts at most
// returns: name of each
// source: [000.order]
MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority IS NOT NULL
RETURN h.name AS name ORDER BY h.bestPriority DESC LIMIT $hosts
