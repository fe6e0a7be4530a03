// Which pages point to others, by a redirect or as their canonical form
// mode: read
// params: $urls LIST<STRING> canonical URLs
// returns: url of each page that points to one of them, redirects whether by a redirect
// source: RFC 6596
UNWIND $urls AS url
MATCH (t:PageNeuron {url: url})
CALL (t) {
  MATCH (t)<-[:REDIRECTS_TO]-(p) RETURN p, true AS redirects
  UNION ALL
  MATCH (t)-[:CANONICAL_OF]->(p) RETURN p, false AS redirects
}
RETURN p.url AS url, redirects
