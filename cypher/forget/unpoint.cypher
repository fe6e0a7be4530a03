// Let nothing point to pages that are to be forgotten, nor name them
// mode: write
// params: $urls LIST<STRING> of the pages
// returns: nothing
// source: requests for deletion
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
CALL (p) {
  MATCH (q)-[r:REDIRECTS_TO]->(p)
  SET q.error = 'redirect: redirects to what was forgotten on request'
  DELETE r
}
CALL (p) {
  MATCH (p)-[r:REDIRECTS_TO|CANONICAL_OF]-()
  DELETE r
}
CALL (p) {
  MATCH (p)-[:LINK_AXON|ALIAS_AXON]-(q)
  WITH DISTINCT p, q
  SET q.grants = [g IN q.grants | CASE WHEN g ENDS WITH ' ' + p.url THEN left(g, size(g) - size(p.url)) + 'forgotten' ELSE g END],
      q.foundBy = CASE WHEN q.foundBy = p.url THEN 'forgotten' ELSE q.foundBy END
}
CALL (p) {
  MATCH (p)-[:LISTS]->(j:Job) WHERE j.feed = p.url
  SET j.feed = null
}
