// Tombstones by the time that they were made, so that the oldest can go
// mode: schema
// params: none
// returns: nothing
// source: [000.prune]
CREATE INDEX pruned_at IF NOT EXISTS FOR (p:Pruned) ON (p.prunedAt);
