// All links between pages that were asked for, as they were written
// mode: read
// params: none
// returns: source and target (URLs), weight, anchor, position, rel
// source: [000.graph]; looks at all axons
MATCH (s:PageNeuron)-[a:LINK_AXON|ALIAS_AXON]->(t:PageNeuron)
WHERE coalesce(a.links, 1) > 0 AND s.fetchedAt IS NOT NULL AND t.fetchedAt IS NOT NULL AND NOT s:Pruned AND NOT t:Pruned
RETURN s.url AS source, t.url AS target, a.weight AS weight, a.anchor AS anchor, a.position AS position, a.rel AS rel
