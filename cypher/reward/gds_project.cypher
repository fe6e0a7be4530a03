// Project neurons with their reward and axons with their weight; an axon conducts both ways
// mode: auto
// params: $projection STRING name of the projection
// returns: poorest (the least reward; tombstones have no axons and count as 0)
// source: [000.distribute]
CALL gds.graph.project(
  $projection,
  'PageNeuron',
  {LINK_AXON: {orientation: 'UNDIRECTED', properties: 'weight'}},
  {nodeProperties: {reward: {property: 'reward', defaultValue: 0.0}}}
) YIELD graphName
CALL gds.graph.nodeProperty.stream(graphName, 'reward') YIELD propertyValue
RETURN min(propertyValue) AS poorest
