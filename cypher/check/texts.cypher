// Texts without their page, and pages with two texts
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL, where there is one), why
// source: design of the graph
CALL () {
  MATCH (t:PageText) WHERE NOT EXISTS { (:PageNeuron)-[:HAS_TEXT]->(t) }
  RETURN coalesce(t.title, 'a text') AS what, 'the text of no page' AS why
  UNION ALL
  MATCH (p:PageNeuron) WHERE COUNT { (p)-[:HAS_TEXT]->() } > 1
  RETURN p.url AS what, 'has two texts' AS why
}
RETURN what, why LIMIT $limit
