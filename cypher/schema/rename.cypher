// Give the graph another name, as a copy needs
// mode: write
// params: $graph STRING the new name
// returns: graph
// source: design of the graph
MATCH (m:Meta)
SET m.graph = $graph
RETURN m.graph AS graph
