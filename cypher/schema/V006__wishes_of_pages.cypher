// Pages whose text is to be dropped at a time that their owner named
// mode: schema
// params: none
// returns: nothing
// source: [002.robots]
CREATE INDEX page_unavailable_after IF NOT EXISTS FOR (p:Fetched) ON (p.unavailableAfter);
