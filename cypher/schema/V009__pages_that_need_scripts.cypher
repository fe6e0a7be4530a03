// Pages that are empty without scripts, by host
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE INDEX needs_script_host IF NOT EXISTS FOR (p:NeedsScript) ON (p.host);
