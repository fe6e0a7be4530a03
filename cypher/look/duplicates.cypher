// Pages or axons that stand twice where one should be: none, ever
// mode: read
// params: none
// returns: source, target, axons
// source: [000.graph]
MATCH (p:PageNeuron)-[a:LINK_AXON]->(q:PageNeuron)
WITH p, q, count(a) AS axons WHERE axons > 1 OR p = q
RETURN p.url AS source, q.url AS target, axons
