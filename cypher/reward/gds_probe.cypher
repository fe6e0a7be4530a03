// Project two neurons that are not in the graph, to see whether GDS is there
// mode: auto
// params: $projection STRING name of the projection
// returns: neurons
// source: [000.distribute]
UNWIND [0] AS giver
WITH gds.graph.project($projection, giver, giver + 1, {
  sourceNodeProperties: {reward: 1.0},
  targetNodeProperties: {reward: 0.0},
  relationshipProperties: {weight: 1.0}
}, {undirectedRelationshipTypes: ['*']}) AS projection
RETURN projection.nodeCount AS neurons
