// What waits, and when there is something to claim
// mode: read
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: waiting and leased pages, dueHosts, nextDueS seconds until a host may be asked or a lease ends
// source: [000.order]
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
CALL () { MATCH (:Frontier) RETURN count(*) AS waiting }
CALL (now) {
  MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority IS NOT NULL
  RETURN count(CASE WHEN coalesce(h.nextFetchAt, now) <= now THEN 1 END) AS dueHosts, min(coalesce(h.nextFetchAt, now)) AS nextDueAt
}
CALL () {
  MATCH (h:Host) USING INDEX h:Host(parkedUntil) WHERE h.parkedUntil IS NOT NULL AND h.blockedAt IS NULL
    AND EXISTS { MATCH (p:Frontier) USING INDEX p:Frontier(host, priority)
                 WHERE p.host = h.name AND p.priority IS NOT NULL }
  RETURN min(h.parkedUntil) AS unparkAt
}
CALL () {
  MATCH (p:Leased) USING INDEX p:Leased(leasedUntil) WHERE p.leasedUntil IS NOT NULL
  RETURN count(p) AS leased, min(p.leasedUntil) AS leaseEnd
}
CALL () {
  MATCH (p:Frontier) USING INDEX p:Frontier(readyAt) WHERE p.readyAt > datetime({epochMillis: 0})
  RETURN min(p.readyAt) AS readyAt
}
UNWIND [nextDueAt, unparkAt, leaseEnd, readyAt] AS at
WITH waiting, leased, dueHosts, now, min(at) AS at
RETURN waiting, leased, dueHosts,
       CASE WHEN at <= now THEN 0.0 ELSE (at.epochMillis - now.epochMillis) / 1000.0 END AS nextDueS
