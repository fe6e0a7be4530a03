// The axons that leave the pages that pass a filter
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER axons
// returns: one row an axon
// source: design of the analysis
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
MATCH (n)-[a:LINK_AXON]->(t:PageNeuron)
WITH n, a, t LIMIT $limit
RETURN n.url AS source, t.url AS target, n.host AS sourceHost, t.host AS targetHost, a.weight AS weight, a.links AS links,
       a.anchor AS anchor, a.rel AS rel, a.position AS position, a.firstSeenAt AS firstSeenAt, a.lastSeenAt AS lastSeenAt
