// Pages that were pruned and pass a filter, the last one first
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER pages
// returns: one row a tombstone
// source: [000.prune]
MATCH (n:PageNeuron:Pruned) WHERE
  // include: look/passes.part
WITH n ORDER BY n.prunedAt DESC, n.url LIMIT $limit
RETURN n.url AS url, n.host AS host, n.fetchedAt AS fetchedAt, n.prunedAt AS prunedAt, n.prunedBelow AS prunedBelow
