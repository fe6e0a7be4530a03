// How many hosts may be asked now
// mode: read
// params: $nowMs INTEGER milliseconds since 1970; null: the server's time = null
// returns: hosts; waiting (have pages in the frontier); due (may be asked now);
//          parked (left alone for a while, or blocked); nextDueS, seconds until the next waiting host may be asked
// source: [000.order]
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
OPTIONAL MATCH (h:Host) WHERE NOT (h.name STARTS WITH '*.' OR h.name ENDS WITH ':*')
WITH now, h, h.bestPriority IS NOT NULL AS waits, coalesce(h.nextFetchAt, now) AS next
RETURN count(h) AS hosts,
       count(CASE WHEN waits THEN 1 END) AS waiting,
       count(CASE WHEN waits AND next <= now THEN 1 END) AS due,
       count(CASE WHEN h.parkedUntil IS NOT NULL OR h.blockedAt IS NOT NULL THEN 1 END) AS parked,
       min(CASE WHEN waits AND next > now
           THEN (next.epochMillis - now.epochMillis) / 1000.0 END) AS nextDueS
