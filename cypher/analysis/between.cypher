// The axons between some pages
// mode: read
// params: $urls LIST<STRING> canonical URLs
// returns: one row an axon
// source: [000.graph]
UNWIND $urls AS url
MATCH (n:PageNeuron {url: url})-[a:LINK_AXON]->(t:PageNeuron)
WHERE t.url IN $urls
RETURN n.url AS source, t.url AS target, n.host AS sourceHost, t.host AS targetHost, a.weight AS weight, a.links AS links,
       a.anchor AS anchor, a.rel AS rel, a.position AS position, a.firstSeenAt AS firstSeenAt, a.lastSeenAt AS lastSeenAt
ORDER BY source, target
