// Pages that were never asked for: a crawl was too narrow for them, or robots.txt closed them
// mode: read
// params: $private BOOLEAN also those that lie on private addresses
// returns: url, depth, robots whether robots.txt closed it
// source: scope rules of the crawl
MATCH (p:Excluded)
WHERE (p.reason IN ['scope', 'filter', 'depth', 'robots'] OR $private AND p.reason = 'address') AND NOT p:Pruned
RETURN p.url AS url, p.depth AS depth, p.reason = 'robots' AS robots
