// Pages that were never asked for because a crawl was too narrow for them
// mode: read
// params: none
// returns: url, depth
// source: scope rules of the crawl
MATCH (p:Excluded) WHERE p.reason IN ['scope', 'filter', 'depth'] AND NOT p:Pruned
RETURN p.url AS url, p.depth AS depth
