// What folding has to know of pages
// mode: read
// params: $urls LIST<STRING> canonical URLs
// returns: url, host, reward, handedOver in points, aliasOf, digest, feedUrl, fetched (and still there),
//          pruned, seed, redirect and
//          canonical (URLs that it points to), of each page that exists
// source: RFC 6596
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
RETURN p.url AS url, p.host AS host, coalesce(p.reward, 0.0) AS reward, coalesce(p.handedOver, 0.0) AS handedOver,
       p.aliasOf AS aliasOf, p.digest AS digest, p.feedUrl AS feedUrl, p:Fetched AND coalesce(NOT p.error STARTS WITH 'http-4xx', true) AS fetched, p:Pruned AS pruned,
       p:Seed AS seed,
       head(COLLECT { MATCH (p)-[:REDIRECTS_TO]->(t) RETURN t.url }) AS redirect,
       head(COLLECT { MATCH (p)<-[:CANONICAL_OF]-(t) RETURN t.url }) AS canonical
