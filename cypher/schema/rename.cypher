// Give the graph another name, as a copy needs
// mode: write
// params: $graph STRING the new name
// returns: graph
// source: design of the graph
MATCH (m:Meta) WHERE m.graph IS NOT NULL AND m.schemaVersion IS NOT NULL
SET m.graph = $graph
RETURN m.graph AS graph
