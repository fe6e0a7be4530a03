// What the fetched pages of each host turned out to be worth; as `scoring.worth` has it where that is not noted
// mode: read
// params: none
// returns: host, pages fetched, worth of them all, feeds
// source: [004.quality]; looks at all fetched pages
MATCH (p:Fetched) WHERE p:PageNeuron AND NOT p:Pruned
WITH p, reduce(s = 0.0, g IN coalesce(p.grants, []) |
       s + CASE WHEN split(g, ' ')[1] IN ['seed', 'feed-new', 'feed-known'] THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points
WITH p.host AS host, p:JobFeed AS feed,
     coalesce(p.worth, CASE WHEN p:JobFeed THEN 1.0 WHEN points > 0 THEN 1.0 - exp(-points / 10.0) ELSE 0.0 END) AS worth
RETURN host, count(*) AS pages, sum(worth) AS worth, count(CASE WHEN feed THEN 1 END) AS feeds
