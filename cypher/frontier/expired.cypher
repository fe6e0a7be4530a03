// Leases that have ended
// mode: read
// params: $limit INTEGER pages at most
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, host, token of each page
// source: design of the graph
MATCH (p:Leased) USING INDEX p:Leased(leasedUntil)
WHERE p.leasedUntil <= datetime({epochMillis: coalesce($nowMs, timestamp())})
RETURN p.url AS url, p.host AS host, p.token AS token LIMIT $limit
