// How many axons leave the pages that pass a filter, counted to a limit
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $most INTEGER axons to count at most
// returns: rows
// source: design of the analysis
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
MATCH (n)-[a:LINK_AXON]->(:PageNeuron)
WITH a LIMIT $most
RETURN count(a) AS rows
