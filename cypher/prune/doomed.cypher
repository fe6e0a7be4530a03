// All that pruning would delete, neuron by neuron, for the archive
// mode: read
// params: $below FLOAT reward under which a neuron goes
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $most INTEGER neurons at most = 9223372036854775807
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, neuronId, host, reward, fetchedMs, labels, properties, text (properties of its PageText), axons; the
//          common times in them as {`$datetime`: ISO 8601}, since the driver is slow with times; an axon has its
//          (source and target URL, type, properties; of an alias also what it points to and the links that another carries)
// source: [000.prune]
OPTIONAL MATCH (m:Meta)
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
WITH p WHERE spared IS NULL LIMIT $most
RETURN p.url AS url, p.neuronId AS neuronId, p.host AS host, p.reward AS reward,
       p.fetchedAt.epochMillis AS fetchedMs, labels(p) AS labels,
       p {.*, discoveredAt: CASE WHEN p.discoveredAt IS NOT NULL THEN {`$datetime`: toString(p.discoveredAt)} END,
              fetchedAt: CASE WHEN p.fetchedAt IS NOT NULL THEN {`$datetime`: toString(p.fetchedAt)} END} AS properties,
       head(COLLECT { MATCH (p)-[:HAS_TEXT]->(t:PageText) RETURN properties(t) }) AS text,
       COLLECT {
         MATCH (p)-[a:LINK_AXON|ALIAS_AXON|REDIRECTS_TO|CANONICAL_OF]-() WHERE a:LINK_AXON OR p:Alias
         RETURN {source: startNode(a).url, target: endNode(a).url, type: type(a), properties:
                 a {.*, firstSeenAt: CASE WHEN a.firstSeenAt IS NOT NULL THEN {`$datetime`: toString(a.firstSeenAt)} END,
                        lastSeenAt: CASE WHEN a.lastSeenAt IS NOT NULL THEN {`$datetime`: toString(a.lastSeenAt)} END}}
       } AS axons
