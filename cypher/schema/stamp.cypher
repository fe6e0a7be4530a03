// Note the schema version that this database has reached
// mode: write
// params: $graph STRING name of the graph
//         $schemaVersion INTEGER number of the newest schema file applied
//         $productVersion STRING version of graphcrawl
// returns: nothing
// source: design of the graph
MERGE (m:Meta {graph: $graph})
ON CREATE SET m.createdAt = datetime()
SET m.schemaVersion = CASE WHEN m.schemaVersion > $schemaVersion THEN m.schemaVersion ELSE $schemaVersion END,
    m.productVersion = $productVersion, m.updatedAt = datetime()
MERGE (:WriteGate {name: 'record'})
