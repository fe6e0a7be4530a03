// Take back the hosts that were left alone long enough
// mode: write
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: name of each
// source: design of the graph
MATCH (h:Host) USING INDEX h:Host(parkedUntil)
WHERE h.parkedUntil <= datetime({epochMillis: coalesce($nowMs, timestamp())})
WITH h.name AS name ORDER BY name
MATCH (h:Host {name: name}) SET h:Host
WITH h WHERE h.parkedUntil <= datetime({epochMillis: coalesce($nowMs, timestamp())})
REMOVE h.parkedUntil
RETURN h.name AS name
