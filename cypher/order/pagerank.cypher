// Rank pages by the links to them, for the order that goes by it
// mode: auto
// params: $projection STRING name of the projection
// returns: neurons
// source: Page, Brin, Motwani, Winograd, "The PageRank citation ranking" (1999)
CALL gds.graph.project($projection, 'PageNeuron', 'LINK_AXON') YIELD graphName
CALL gds.pageRank.write(graphName, {dampingFactor: 0.85, maxIterations: 20, writeProperty: 'cash'}) YIELD nodePropertiesWritten
CALL gds.graph.drop(graphName, false) YIELD graphName AS dropped
RETURN nodePropertiesWritten AS neurons
