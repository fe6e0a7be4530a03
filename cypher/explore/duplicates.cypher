// Near-duplicates: pages of equal bytes, or of one title and nearly one size
// mode: read
// params: $pages INTEGER pages that a cluster must have = 2
//         $limit INTEGER clusters = 20
// returns: alike, how many pages and hosts, 10 of the pages, the best-paid first
// source: design of the graph
MATCH (p:PageNeuron:Fetched)
WHERE p.digest IS NOT NULL AND p.bytes > 0
UNWIND [['bytes', p.digest],
        ['title and size', p.title + ' ' + toString(toInteger(log(p.bytes) * 20))]] AS key
WITH key, p
WHERE key[1] IS NOT NULL
ORDER BY p.reward DESC, p.url
WITH key, count(p) AS pages, count(DISTINCT p.host) AS hosts, count(DISTINCT p.digest) AS bodies,
     collect(p)[..10] AS copies
WHERE pages >= $pages AND (key[0] = 'bytes' OR bodies > 1)
RETURN key[0] AS alike, pages, hosts, [p IN copies | p.url] AS urls, copies
ORDER BY pages DESC, alike, urls[0] LIMIT $limit
