// How many of the pages that pass a filter have how many axons
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
// returns: direction (in, out), degree, pages; pages that were never fetched have no axons that leave yet and are not in out
// source: [000.graph]
MATCH (n:PageNeuron) WHERE NOT n:Pruned AND
  // include: look/passes.part
WITH n, COUNT { (n)<-[:LINK_AXON]-() } AS come, COUNT { (n)-[:LINK_AXON]->() } AS go
UNWIND [['in', come], ['out', CASE WHEN n:Fetched THEN go END]] AS one
WITH one[0] AS direction, one[1] AS degree, n WHERE degree IS NOT NULL
RETURN direction, degree, count(n) AS pages
ORDER BY direction, degree
