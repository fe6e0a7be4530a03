// Leases that ran out: a worker died, and the next crawl takes its pages back
// mode: read
// params: $nowMs INTEGER milliseconds since 1970; null: the server's time = null
// returns: expired
// source: [000.order]
MATCH (p:Leased) USING INDEX p:Leased(leasedUntil)
WHERE p.leasedUntil < datetime({epochMillis: coalesce($nowMs, timestamp())})
RETURN count(p) AS expired
