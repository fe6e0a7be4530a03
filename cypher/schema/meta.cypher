// What this database says it is
// mode: read
// params: none
// returns: graph, schemaVersion, productVersion, importing of our (:Meta) node, and whether any other node exists
// source: design of the graph
OPTIONAL MATCH (m:Meta) WHERE m.graph IS NOT NULL AND m.schemaVersion IS NOT NULL
WITH m LIMIT 1
RETURN m.graph AS graph, m.schemaVersion AS schemaVersion, m.productVersion AS productVersion, m.importing AS importing,
       EXISTS { MATCH (n) WHERE NOT n:Meta OR n.graph IS NULL OR n.schemaVersion IS NULL } AS hasData
