// How many grants the pages that pass a filter have, counted to a limit
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $most INTEGER grants to count at most
// returns: rows
// source: [000.evaluate]
MATCH (n:PageNeuron) WHERE n.grants IS NOT NULL AND
  // include: look/passes.part
UNWIND n.grants AS g
WITH g LIMIT $most
RETURN count(g) AS rows
