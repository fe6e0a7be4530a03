// Overwrite what deleted records held, and push it out of the transaction logs: write, and delete again
// mode: write
// params: $nodes INTEGER how many
//         $text STRING to write
// returns: nothing
// source: operation of Neo4j: freed records keep their bytes until they are used again
UNWIND range(1, $nodes) AS i
CREATE (n:Forgotten {key: 'fill ' + toString(i) + left($text, 200)})
SET n.forgottenAt = datetime({epochMillis: timestamp()}), n.fill = $text
