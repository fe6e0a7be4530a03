// The steady reward of all that was granted with one sign: PageRank with the grants as bias
// mode: auto
// params: $projection STRING name of the projection, with baseReward
//         $sign INTEGER 1 for what was granted, -1 for what was taken
//         $to STRING property to write
//         $damping FLOAT share δ of reward that flows on
//         $rounds INTEGER what is left out is δ to this power
// returns: nodePropertiesWritten
// source: [000.distribute]; A. N. Langville, C. D. Meyer, Deeper Inside PageRank, 2004, section 5.2
// Without source nodes PageRank takes all of them, so there is always one. The tolerance only has to be
// too small to stop a neuron from giving.
CALL {
  CALL gds.graph.nodeProperty.stream($projection, 'baseReward') YIELD nodeId, propertyValue
  RETURN nodeId AS id, propertyValue AS base, 1 AS projected
  UNION ALL
  MATCH (p:Alias) WHERE p.baseReward <> 0.0
  MATCH (r:PageNeuron {url: p.aliasOf})                       // what stands for it has what it was granted
  UNWIND [[id(p), -p.baseReward], [id(r), p.baseReward]] AS moved
  RETURN moved[0] AS id, moved[1] AS base, 0 AS projected
}
WITH id, $sign * sum(base) AS base, sum(projected) AS projected WHERE projected > 0
WITH min(id) AS some, collect(CASE WHEN base > 0 THEN [id, base] END) AS bias
CALL gds.pageRank.mutate($projection, {
  sourceNodes: CASE WHEN size(bias) = 0 THEN [[some, 0.0]] ELSE bias END,
  dampingFactor: $damping,
  maxIterations: $rounds,
  tolerance: 1e-300,
  relationshipWeightProperty: 'weight',
  mutateProperty: $to
}) YIELD nodePropertiesWritten
RETURN nodePropertiesWritten
