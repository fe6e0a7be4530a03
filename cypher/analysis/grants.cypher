// What rules, seeds and links to job feeds paid to the pages that pass a filter
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER grants
// returns: one row a grant
// source: [000.evaluate]
MATCH (n:PageNeuron) WHERE n.grants IS NOT NULL AND
  // include: look/passes.part
UNWIND n.grants AS g
WITH n, split(g, ' ') AS parts ORDER BY n.url, g LIMIT $limit
RETURN n.url AS url, n.host AS host, n.depth AS depth, parts[1] AS rule, parts[2] AS place, toFloat(parts[0]) AS points
