// Pages that wait for a time of their own
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE INDEX frontier_ready_at IF NOT EXISTS FOR (p:Frontier) ON (p.readyAt);
