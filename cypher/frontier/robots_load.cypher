// The robots rules of one origin
// mode: read
// params: $origin STRING scheme://host:port
// returns: status, body, fetchedAt, expiresAt, crawlDelayS; no row where nobody ever got an answer
// source: [002.robots]
MATCH (o:Origin {key: $origin}) WHERE o.fetchedAt IS NOT NULL
RETURN o.status AS status, o.body AS body, o.fetchedAt AS fetchedAt, o.expiresAt AS expiresAt,
       o.crawlDelayS AS crawlDelayS
