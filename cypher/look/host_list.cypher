// How all hosts are doing, and why: those with trouble first
// mode: read
// params: $state STRING only those in this state = null
//         $limit INTEGER hosts = 25
//         $nowMs INTEGER milliseconds since 1970; null: the server's time = null
// returns: host, state, trouble, waiting pages, requests, delayS, latencyS, failures, refusals, nextFetchAt,
//          parkedUntil, blockedAt, blockReason, leasedBy, bestPriority
// source: [000.order]
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (h:Host) WHERE h.name IS NOT NULL
WITH h, now, h.blockedAt IS NOT NULL AS blocked, coalesce(h.nextFetchAt > now, false) AS later
WITH h, CASE WHEN blocked THEN 'blocked'
             WHEN h.parkedUntil > now AND coalesce(h.refusals, 0) > 0 THEN 'paused'
             WHEN h.parkedUntil > now THEN 'parked'
             WHEN h.leasedBy IS NOT NULL AND later THEN 'in work'
             WHEN later AND coalesce(h.refusals, 0) > 0 THEN 'paused'
             WHEN later THEN 'resting'
             WHEN h.bestPriority IS NOT NULL OR h.parkedUntil IS NOT NULL AND
               EXISTS { MATCH (p:Frontier) WHERE p.host = h.name AND p.priority IS NOT NULL } THEN 'due'
             ELSE 'idle' END AS state
WITH h, state WHERE $state IS NULL OR state = $state
WITH h, state
ORDER BY state = 'blocked' DESC, state IN ['parked', 'paused'] DESC, h.bestPriority IS NULL, h.bestPriority DESC, h.name
LIMIT $limit
CALL (h) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  RETURN count(p) AS waiting
}
RETURN h.name AS host, state, h.trouble AS trouble, waiting, coalesce(h.requests, 0) AS requests, h.delayS AS delayS,
       h.latencyS AS latencyS, coalesce(h.failures, 0) AS failures, coalesce(h.refusals, 0) AS refusals,
       h.nextFetchAt AS nextFetchAt, h.parkedUntil AS parkedUntil, h.blockedAt AS blockedAt,
       h.blockReason AS blockReason, h.leasedBy AS leasedBy, h.bestPriority AS bestPriority
