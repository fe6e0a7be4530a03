// See whether a graph is empty, or what an import into it was broken off
// mode: write
// params: $graph STRING name of the graph
//         $digest STRING of the file to import
// returns: begun (whether the import of this file may begin or go on), holds (whether there is anything else)
// source: design of the graph
MATCH (m:Meta {graph: $graph})
SET m:Meta                                                           // one at a time
WITH m, EXISTS { MATCH (n) WHERE NOT n:Meta AND NOT n:WriteGate } AS holds
WITH m, holds, m.importing = $digest OR m.importing IS NULL AND NOT holds AS begun
SET m.importing = CASE WHEN begun THEN $digest ELSE m.importing END
RETURN coalesce(begun, false) AS begun, holds
