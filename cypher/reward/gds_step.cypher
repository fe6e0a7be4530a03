// One distribution, up to a factor: two rounds of PageRank with the rewards as bias
// mode: auto
// params: $projection STRING name of the projection
//         $from STRING property that holds the rewards so far
//         $to STRING property to write
//         $damping FLOAT distribute / (1 - forget), below 1
// returns: nothing
// source: [000.distribute] [000.forget]
// PageRank starts with (1 - damping) * bias and adds damping * Pᵀ of it in its second round; a third
// round must not follow. The tolerance only has to be too small to stop a neuron from giving.
CALL gds.graph.nodeProperty.stream($projection, $from) YIELD nodeId, propertyValue
WITH collect([nodeId, propertyValue]) AS bias
CALL gds.pageRank.mutate($projection, {
  sourceNodes: bias,
  dampingFactor: $damping,
  maxIterations: 2,
  tolerance: 1e-300,
  relationshipWeightProperty: 'weight',
  mutateProperty: $to
}) YIELD nodePropertiesWritten
WITH nodePropertiesWritten WHERE $from <> 'reward'
CALL gds.graph.nodeProperties.drop($projection, $from) YIELD propertiesRemoved
RETURN propertiesRemoved
