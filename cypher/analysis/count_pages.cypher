// How many pages pass a filter, counted to a limit
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $most INTEGER pages to count at most
// returns: rows
// source: design of the analysis
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
WITH n LIMIT $most
RETURN count(n) AS rows
