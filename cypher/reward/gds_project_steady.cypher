// Project neurons with their reward and what they were granted, and axons with their weight, for the steady reward
// mode: auto
// params: $projection STRING name of the projection
// returns: poorest (the least that a neuron was granted)
// source: [000.distribute]
CALL gds.graph.project(
  $projection,
  'PageNeuron',
  {LINK_AXON: {orientation: 'UNDIRECTED', properties: 'weight'}},
  {nodeProperties: {reward: {property: 'reward', defaultValue: 0.0}, baseReward: {property: 'baseReward', defaultValue: 0.0}}}
) YIELD graphName
CALL gds.graph.nodeProperty.stream(graphName, 'baseReward') YIELD propertyValue
RETURN min(propertyValue) AS poorest
