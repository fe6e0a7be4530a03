// Note what pages point to: where they redirect, or the URL that they name as their canonical form
// mode: write
// params: $pointers LIST<MAP> url; redirect and canonical (URLs, at most one of them not null), raw (as written, or null)
// returns: nothing
// source: RFC 6596; RFC 9110 section 15.4
UNWIND $pointers AS row
MATCH (p:PageNeuron {url: row.url})
CALL (row, p) {
  MATCH (p)-[r:REDIRECTS_TO]->(t) WHERE coalesce(t.url <> row.redirect, true)
  DELETE r
}
CALL (row, p) {
  MATCH (p)<-[r:CANONICAL_OF]-(t) WHERE coalesce(t.url <> row.canonical, true)
  DELETE r
}
CALL (row, p) {
  MATCH (t:PageNeuron {url: row.redirect}) WHERE NOT t:Pruned
  MERGE (p)-[r:REDIRECTS_TO]->(t)
  SET r.firstSeenAt = coalesce(r.firstSeenAt, p.fetchedAt), r.lastSeenAt = p.fetchedAt, r.raw = row.raw
}
CALL (row, p) {
  MATCH (t:PageNeuron {url: row.canonical}) WHERE NOT t:Pruned
  MERGE (p)<-[r:CANONICAL_OF]-(t)
  SET r.firstSeenAt = coalesce(r.firstSeenAt, p.fetchedAt), r.lastSeenAt = p.fetchedAt
}
