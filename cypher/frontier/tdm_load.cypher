// What one origin's tdmrep.json says
// mode: read
// params: $origin STRING scheme://host:port
// returns: body, fetchedAt, expiresAt; no row where nobody ever asked
// source: TDM Reservation Protocol
MATCH (o:Origin {key: $origin}) WHERE o.tdmFetchedAt IS NOT NULL
RETURN o.tdmBody AS body, o.tdmFetchedAt AS fetchedAt, o.tdmExpiresAt AS expiresAt
