// Every axon that begins on one host
// mode: read
// params: $host STRING host key
// returns: source, target, weight, links
// source: [000.graph]
MATCH (p:PageNeuron {host: $host})-[a:LINK_AXON]->(q:PageNeuron)
RETURN p.url AS source, q.url AS target, a.weight AS weight, a.links AS links
