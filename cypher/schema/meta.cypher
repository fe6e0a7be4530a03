// What this database says it is
// mode: read
// params: none
// returns: graph, schemaVersion, productVersion, importing of the (:Meta) node, and whether any other node exists
// source: design of the graph
OPTIONAL MATCH (m:Meta)
WITH m LIMIT 1
RETURN m.graph AS graph, m.schemaVersion AS schemaVersion, m.productVersion AS productVersion, m.importing AS importing,
       EXISTS { MATCH (n) WHERE NOT n:Meta } AS hasData
