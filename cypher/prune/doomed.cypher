// All that pruning would delete, neuron by neuron, for the archive
// mode: read
// params: $below FLOAT reward under which a neuron goes
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, neuronId, host, reward, fetchedMs, labels, properties, text (properties of its PageText), axons
//          (source and target URL, type, properties; of an alias also what it points to and the links that another carries)
// source: [000.prune]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH coalesce(max(m.distributions), 0) AS distributions,
     datetime({epochMillis: coalesce($nowMs, timestamp()) - $spareMs}) AS since
MATCH (p:PageNeuron) WHERE p.reward < $below AND NOT p:Pruned
WITH p, CASE
  WHEN p:Seed THEN 'seed'
  WHEN p:Leased THEN 'leased'
  WHEN p:JobFeed OR p.feedUrl IS NOT NULL THEN 'feed'
  WHEN p:Alias AND EXISTS { MATCH (r:PageNeuron {url: p.aliasOf}) WHERE NOT r:Pruned } THEN 'alias'
  WHEN p:Frontier AND p.discoveredAt > since AND distributions - coalesce(p.bornAt, 0) < $spareDistributions THEN 'newborn'
END AS spared
WITH p WHERE spared IS NULL
RETURN p.url AS url, p.neuronId AS neuronId, p.host AS host, p.reward AS reward,
       p.fetchedAt.epochMillis AS fetchedMs, labels(p) AS labels, properties(p) AS properties,
       head(COLLECT { MATCH (p)-[:HAS_TEXT]->(t:PageText) RETURN properties(t) }) AS text,
       COLLECT {
         MATCH (p)-[a:LINK_AXON|ALIAS_AXON|REDIRECTS_TO|CANONICAL_OF]-() WHERE a:LINK_AXON OR p:Alias
         RETURN {source: startNode(a).url, target: endNode(a).url, type: type(a), properties: properties(a)}
       } AS axons
