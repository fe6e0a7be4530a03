// Pages that another one stands for that is not there
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why
// source: RFC 6596
MATCH (p:PageNeuron) WHERE p.aliasOf IS NOT NULL OR p:Alias
OPTIONAL MATCH (r:PageNeuron {url: p.aliasOf})
WITH p, r WHERE r IS NULL OR r:Alias OR NOT p:Alias
RETURN p.url AS what,
       CASE WHEN NOT p:Alias THEN 'names what stands for it, but is no alias'
            WHEN r IS NULL THEN 'what stands for it is not there: ' + coalesce(p.aliasOf, 'nothing named')
            ELSE 'what stands for it is an alias itself: ' + r.url END AS why
LIMIT $limit
