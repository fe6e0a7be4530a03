// Job feeds for whose discovery two pages were paid
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL of the feed), why
// source: [000.evaluate]
MATCH (p:Rewarded) WHERE p:PageNeuron
UNWIND [g IN p.grants WHERE split(g, ' ')[1] = 'feed-new'] AS grant
WITH split(grant, ' ')[2] AS feed, count(*) AS finders
WHERE finders > 1
RETURN feed AS what, toString(finders) + ' pages were paid as the first to link to it' AS why LIMIT $limit
