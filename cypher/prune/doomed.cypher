// All that hangs on neurons that pruning would delete, for the archive
// mode: read
// params: $ids LIST<INTEGER> of nodes, from prune/poor
//         $below FLOAT reward under which a neuron goes
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: rows, in one row (the driver is slow with many): id of the node, known (a number for each axon and its other
//          end), strength that these make, url, neuronId, host, reward, fetchedMs, labels, properties,
//          text (properties of its PageText), axons (source and target URL, type, properties; of an alias also what it
//          points to and the links that another carries); the usual times are {`$datetime`: ISO 8601}, for the same reason
// source: [000.prune]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH coalesce(max(m.distributions), 0) AS distributions,
     datetime({epochMillis: coalesce($nowMs, timestamp()) - $spareMs}) AS since
UNWIND $ids AS id
MATCH (p:PageNeuron) WHERE id(p) = id AND NOT p:Pruned AND
  // include: prune/key.part
  < $below
WITH p,
  // include: prune/spared.part
WITH p WHERE spared IS NULL
CALL (p) {
  MATCH (p)-[a:LINK_AXON]-(q)
  RETURN collect({
    source: startNode(a).url, target: endNode(a).url, type: 'LINK_AXON', properties:
    a {.*, firstSeenAt: CASE WHEN a.firstSeenAt IS NOT NULL THEN {`$datetime`: split(toString(a.firstSeenAt), '[')[0]} END,
           lastSeenAt: CASE WHEN a.lastSeenAt IS NOT NULL THEN {`$datetime`: split(toString(a.lastSeenAt), '[')[0]} END}}) AS axons,
    collect((id(a) % 2147483648) * 2147483648 + id(q) % 2147483648) AS known,
    sum(coalesce(a.weight, 0.0)) AS strength
}
RETURN collect({
  id: id(p), known: known, strength: strength,
  url: p.url, neuronId: p.neuronId, host: p.host, reward: p.reward, fetchedMs: p.fetchedAt.epochMillis, labels: labels(p),
  properties: p {.*, discoveredAt: CASE WHEN p.discoveredAt IS NOT NULL THEN {`$datetime`: split(toString(p.discoveredAt), '[')[0]} END,
              fetchedAt: CASE WHEN p.fetchedAt IS NOT NULL THEN {`$datetime`: split(toString(p.fetchedAt), '[')[0]} END},
  text: head(COLLECT { MATCH (p)-[:HAS_TEXT]->(t:PageText) RETURN properties(t) }),
  axons: axons + CASE WHEN NOT p:Alias THEN [] ELSE COLLECT {
    MATCH (p)-[a:ALIAS_AXON|REDIRECTS_TO|CANONICAL_OF]-()
    RETURN {source: startNode(a).url, target: endNode(a).url, type: type(a), properties:
            a {.*, firstSeenAt: CASE WHEN a.firstSeenAt IS NOT NULL THEN {`$datetime`: split(toString(a.firstSeenAt), '[')[0]} END,
                   lastSeenAt: CASE WHEN a.lastSeenAt IS NOT NULL THEN {`$datetime`: split(toString(a.lastSeenAt), '[')[0]} END}}
  } END
}) AS rows
