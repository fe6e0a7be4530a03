// All that is known of one page
// mode: read
// params: $url STRING canonical URL
//         $aliases INTEGER aliases to name = 5
// returns: labels and properties of the page, redirect and canonical (URLs that it names), aliases: count, points that they handed over, points that they were granted, urls of the first; rewardMode of the graph or null
// source: design of the graph
MATCH (p:PageNeuron {url: $url})
CALL (p) {
  OPTIONAL MATCH (a:PageNeuron:Alias) USING INDEX a:Alias(aliasOf)
  WHERE a.aliasOf = p.url
  WITH a ORDER BY a.handedOver DESC, a.url
  RETURN count(a) AS aliases, coalesce(sum(a.handedOver), 0.0) AS handedOver, coalesce(sum(a.baseReward), 0.0) AS granted, collect(a.url)[..$aliases] AS aliasUrls
}
RETURN labels(p) AS labels, properties(p) AS properties,
       head(COLLECT { MATCH (p)-[:REDIRECTS_TO]->(t) RETURN t.url }) AS redirect,
       head(COLLECT { MATCH (p)<-[:CANONICAL_OF]-(t) RETURN t.url }) AS canonical,
       {count: aliases, points: handedOver, granted: granted, urls: aliasUrls} AS aliases,
       head(COLLECT { MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL RETURN m.rewardMode }) AS rewardMode
