// Hosts that are not to be asked
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE INDEX host_blocked_at IF NOT EXISTS FOR (h:Host) ON (h.blockedAt);
