// Ask some hosts no more, or again
// mode: write
// params: $names LIST<STRING> host keys, or names for many hosts, sorted
//         $blocked BOOLEAN block them, or no longer
//         $reason STRING why, in words = null
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: name, known whether there was such a host, before whether it was blocked
// source: design of the graph
UNWIND $names AS name
OPTIONAL MATCH (old:Host {name: name})
WITH name, old IS NOT NULL AS known
WHERE known OR $blocked
MERGE (h:Host {name: name})
SET h:Host                                                           // lock, then look
WITH h, known, h.blockedAt IS NOT NULL AS before, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
SET h.nextFetchAt = coalesce(h.nextFetchAt, now), h.failures = coalesce(h.failures, 0),
    h.blockedAt = CASE WHEN $blocked THEN coalesce(h.blockedAt, now) END,
    h.blockReason = CASE WHEN $blocked THEN coalesce($reason, h.blockReason) END, h.blockedAs = null
RETURN h.name AS name, known, before
