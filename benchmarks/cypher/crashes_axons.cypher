// All axons, those that a representative carries as well
// mode: read
// params: none
// returns: source, target, kind, weight
// source: a benchmark
MATCH (p:PageNeuron)-[a:LINK_AXON|ALIAS_AXON]->(q:PageNeuron)
RETURN p.url AS source, q.url AS target, type(a) AS kind, a.weight AS weight
