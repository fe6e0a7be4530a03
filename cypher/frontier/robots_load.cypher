// The robots rules of one origin
// mode: read
// params: $origin STRING scheme://host:port
// returns: status, body, fetchedAt, expiresAt
// source: [002.robots]
MATCH (o:Origin {key: $origin})
RETURN o.status AS status, o.body AS body, o.fetchedAt AS fetchedAt, o.expiresAt AS expiresAt
