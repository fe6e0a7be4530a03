// Pages that others stand for, and pages that were forgotten on request
// mode: schema
// params: none
// returns: nothing
// source: RFC 6596; design of the graph
CREATE INDEX alias_of IF NOT EXISTS FOR (p:Alias) ON (p.aliasOf);
CREATE CONSTRAINT forgotten_key IF NOT EXISTS FOR (f:Forgotten) REQUIRE f.key IS UNIQUE;
