// What the graph knows of pages that rules look into
// mode: read
// params: $urls LIST<STRING> fetched pages
// returns: url, fetchedMs (milliseconds since 1970), title, types, grants, reward, visible (text, or null where
//          none was kept), outLinks (targets it had when it was read), links (those that are still axons, as lists
//          of target, href as written, anchor, further anchors)
// source: [000.process]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url}) WHERE p:Fetched
RETURN p.url AS url, p.fetchedAt.epochMillis AS fetchedMs, coalesce(p.title, '') AS title,
       coalesce(p.types, []) AS types, coalesce(p.grants, []) AS grants, p.reward AS reward,
       p.outLinks AS outLinks,
       head(COLLECT { MATCH (p)-[:HAS_TEXT]->(x:PageText) RETURN x.visible }) AS visible,
       COLLECT { MATCH (p)-[a:LINK_AXON|ALIAS_AXON]->(t) WHERE coalesce(a.links, 1) > 0 RETURN [t.url, a.raw, a.anchor, a.anchors] } AS links
