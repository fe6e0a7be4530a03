// Hosts that are left alone for a while
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE INDEX host_parked_until IF NOT EXISTS FOR (h:Host) ON (h.parkedUntil);
