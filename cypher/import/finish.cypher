// Note that an import is whole
// mode: write
// params: $graph STRING name of the graph
//         $properties MAP of the copied (:Meta)
//         $schemaVersion INTEGER schema of what was imported, or older than this one
// returns: nothing
// source: design of the graph
MATCH (m:Meta {graph: $graph})
SET m += $properties
SET m.importing = null, m.schemaVersion = $schemaVersion
