// Delete pages with their texts and axons
// mode: write
// params: $urls LIST<STRING> of the pages
// returns: pages, texts, axons deleted
// source: requests for deletion
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
SET p:PageNeuron
WITH collect(p) AS pages
CALL (pages) {
  UNWIND pages AS p
  MATCH (p)-[a:LINK_AXON]-(q)
  WITH q, sum(a.weight) AS weight, sum(CASE WHEN endNode(a) = q THEN 1 ELSE 0 END) AS links
  SET q.strength = q.strength - weight, q.inLinks = q.inLinks - links
  FOREACH (_ IN CASE WHEN q.inflow IS NULL THEN [] ELSE [1] END | REMOVE q.inflow SET q:Touched)    // to be counted anew
}
CALL (pages) {                                                // who counts the grants of another
  UNWIND pages AS p
  MATCH (q:PageNeuron {url: p.aliasOf}) WHERE q.inflow IS NOT NULL
  SET q:Touched
}
CALL (pages) {
  UNWIND pages AS p
  MATCH (q:Alias {aliasOf: p.url}) WHERE q.inflow IS NOT NULL
  SET q:Touched
}
CALL (pages) {
  UNWIND pages AS p
  MATCH (q:PageNeuron)-[:LINK_AXON|ALIAS_AXON]->(p) WHERE q.feedUrl = p.url
  SET q.feedUrl = null
}
CALL (pages) {
  UNWIND pages AS p
  MATCH (p)-[a:LINK_AXON|ALIAS_AXON]-()
  DELETE a
  RETURN count(DISTINCT a) AS axons
}
CALL (pages) {
  UNWIND pages AS p
  MATCH (p)-[:HAS_TEXT]->(t)
  DETACH DELETE t
  RETURN count(t) AS texts
}
FOREACH (p IN pages | DETACH DELETE p)
RETURN size(pages) AS pages, texts, axons
