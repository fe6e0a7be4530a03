// Some pages by their URLs
// mode: read
// params: $urls LIST<STRING> canonical URLs
// returns: one row a page that the graph has
// source: [000.graph]
UNWIND range(0, size($urls) - 1) AS place
MATCH (n:PageNeuron {url: $urls[place]})
RETURN n.url AS url, n.title AS title, n.host AS host, n.depth AS depth, n.reward AS reward, n.inLinks AS inLinks,
       CASE WHEN n:Pruned THEN 'pruned' WHEN n:Leased THEN 'leased' WHEN n:Frontier THEN 'frontier' WHEN n:Fetched THEN 'fetched'
            WHEN n:Failed THEN 'failed' WHEN n:Excluded THEN 'excluded' END AS state,
       n:Seed AS seed, n:JobFeed AS feed
ORDER BY place
