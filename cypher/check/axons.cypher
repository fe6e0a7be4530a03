// Axons that are doubled, lead to themselves, have no weight, or end at something else than a page
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL of the source), why
// source: [000.graph]
MATCH (p:PageNeuron)
CALL (p) {
  MATCH (p)-[a:LINK_AXON]->(q)
  WITH p, q, count(a) AS axons, count(a.weight) AS weighed
  WHERE axons > 1 OR weighed < axons OR q = p OR NOT q:PageNeuron OR q:Pruned OR p:Pruned OR q:Alias OR p:Alias
  RETURN coalesce(q.url, 'no page') AS target,
         CASE WHEN axons > 1 THEN toString(axons) + ' axons to ' WHEN q = p THEN 'an axon to itself: '
              WHEN weighed < axons THEN 'an axon without weight to ' ELSE 'an axon from or to a tombstone, an alias or no page: ' END AS why
  UNION ALL
  MATCH (p)<-[:LINK_AXON]-(s) WHERE NOT s:PageNeuron
  RETURN 'this page' AS target, 'an axon from no page to ' AS why
}
RETURN p.url AS what, why + target AS why LIMIT $limit
