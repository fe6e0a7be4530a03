// All pages that were asked for, and what came of them, as far as it is kept, in the order of the first visits
// mode: read
// params: none
// returns: url, host, seed, redirect (URL, where it redirects), feed whether it is a job feed, points that rules granted, worth, topicHint
// source: [000.order]; looks at all pages
MATCH (p:PageNeuron) WHERE p.fetchedAt IS NOT NULL AND NOT p:Pruned
WITH p, reduce(s = 0.0, g IN coalesce(p.grants, []) |
       s + CASE WHEN split(g, ' ')[1] IN ['seed', 'feed-new', 'feed-known'] THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points
RETURN p.url AS url, p.host AS host, p:Seed AS seed, head(COLLECT { MATCH (p)-[:REDIRECTS_TO]->(t) RETURN t.url }) AS redirect,
       p:JobFeed AS feed, points, coalesce(p.topicHint, 0.0) AS topicHint,
       coalesce(p.worth, CASE WHEN p:JobFeed THEN 1.0 WHEN points > 0 THEN 1.0 - exp(-points / 10.0) ELSE 0.0 END) AS worth
ORDER BY coalesce(CASE WHEN p:JobFeed OR p:JobPage THEN head(COLLECT {       // these were visited again
           MATCH (p)-[l:LISTS]->() WHERE l.firstSeenAt IS NOT NULL RETURN l.firstSeenAt ORDER BY l.firstSeenAt LIMIT 1
         }) END, p.fetchedAt), p.url
