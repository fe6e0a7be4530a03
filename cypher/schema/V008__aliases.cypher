// Pages that others stand for, and pages that were forgotten on request
// mode: schema
// params: none
// returns: nothing
// source: RFC 6596; design of the graph
CREATE INDEX alias_of IF NOT EXISTS FOR (p:Alias) ON (p.aliasOf);
CREATE CONSTRAINT forgotten_key IF NOT EXISTS FOR (f:Forgotten) REQUIRE f.key IS UNIQUE;
// A redirect was an axon before. Lock, then look: another process may be doing the same.
MATCH (a:PageNeuron)-[:LINK_AXON {rel: 'redirect'}]->(b:PageNeuron)
CALL (a, b) {
  SET a:PageNeuron, b:PageNeuron
  WITH a, b
  MATCH (a)-[old:LINK_AXON {rel: 'redirect'}]->(b)
  MERGE (a)-[r:REDIRECTS_TO]->(b)
  SET r.firstSeenAt = old.firstSeenAt, r.lastSeenAt = old.lastSeenAt, r.raw = old.raw,
      a.strength = a.strength - old.weight, b.strength = b.strength - old.weight, b.inLinks = b.inLinks - 1
  DELETE old
} IN TRANSACTIONS OF 1000 ROWS;
