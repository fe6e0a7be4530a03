// What the fetched pages of each host turned out to be worth: 1 - exp(-points / 10) of what rules granted, 1 of a job feed
// mode: read
// params: none
// returns: host, pages fetched, worth of them all, feeds
// source: [004.quality]; looks at all fetched pages
MATCH (p:Fetched) WHERE NOT p:Pruned
WITH p.host AS host, p:JobFeed AS feed,
     reduce(s = 0.0, g IN [g IN coalesce(p.grants, []) WHERE split(g, ' ')[1] <> 'seed' AND NOT split(g, ' ')[2] CONTAINS '://'] |
       s + toFloat(split(g, ' ')[0])) AS points
WITH host, feed, CASE WHEN feed THEN 1.0 WHEN points > 0 THEN 1.0 - exp(-points / 10.0) ELSE 0.0 END AS worth
RETURN host, count(*) AS pages, sum(worth) AS worth, count(CASE WHEN feed THEN 1 END) AS feeds
