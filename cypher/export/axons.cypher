// Axons between pages that pass a filter, one by one, for a file
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold at both ends; op is one of look/passes.part = []
//         $beforeMs INTEGER milliseconds since 1970: only between pages discovered until then; null: all = null
// returns: the columns of `export axons`; times in milliseconds since 1970
// source: design of the command line
MATCH (n:PageNeuron)
WHERE
  ($beforeMs IS NULL OR coalesce(n.discoveredAt.epochMillis, 0) <= $beforeMs) AND
  // include: look/passes.part
WITH n AS s
MATCH (s)-[a:LINK_AXON]->(n:PageNeuron)
WHERE
  ($beforeMs IS NULL OR coalesce(n.discoveredAt.epochMillis, 0) <= $beforeMs) AND
  // include: look/passes.part
RETURN toString(s.neuronId) AS source_id, toString(n.neuronId) AS target_id, s.url AS source, n.url AS target,
       a.weight AS weight, a.links AS links, a.anchor AS anchor, coalesce(a.anchors, []) AS anchors,
       a.rel AS rel, a.position AS position,
       a.firstSeenAt.epochMillis AS first_seen_at, a.lastSeenAt.epochMillis AS last_seen_at
