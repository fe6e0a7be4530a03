// Pages that were asked for and pass a filter, in the order of their first visits
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER pages
// returns: one row a page; points are those that rules granted, worth as explain/crawled_pages has it
// source: [000.order]
MATCH (n:PageNeuron) WHERE n.fetchedAt IS NOT NULL AND NOT n:Pruned AND
  // include: look/passes.part
WITH n, reduce(s = 0.0, g IN coalesce(n.grants, []) |
       s + CASE WHEN split(g, ' ')[1] IN ['seed', 'feed-new', 'feed-known'] THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points,
     coalesce(CASE WHEN n:JobFeed OR n:JobPage THEN head(COLLECT {            // these were visited again
       MATCH (n)-[l:LISTS]->() WHERE l.firstSeenAt IS NOT NULL RETURN l.firstSeenAt ORDER BY l.firstSeenAt LIMIT 1
     }) END, n.fetchedAt) AS at
ORDER BY at, n.url LIMIT $limit
RETURN n.url AS url, n.host AS host, n.depth AS depth, n.status AS status, n:Fetched AS ok, n:JobFeed AS feed, at AS fetchedAt, points,
       coalesce(n.worth, CASE WHEN n:JobFeed THEN 1.0 WHEN points > 0 THEN 1.0 - exp(-points / 10.0) ELSE 0.0 END) AS worth,
       n.reward AS reward, n.bytes AS bytes
