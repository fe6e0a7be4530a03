// The links that a representative carries, from pages or to them
// mode: read
// params: $urls LIST<STRING> pages
// returns: source and target URL, properties, sourceOf and targetOf (what stands for them, or null)
// source: [000.graph]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
MATCH (p)-[a:ALIAS_AXON]-()
WITH DISTINCT a
RETURN startNode(a).url AS source, endNode(a).url AS target, properties(a) AS properties,
       startNode(a).aliasOf AS sourceOf, endNode(a).aliasOf AS targetOf
