// Block hosts by a name for many
// mode: write
// params: $names LIST<STRING> host keys, sorted
//         $wide STRING the name that holds for them
//         $reason STRING why, in words = null
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
UNWIND $names AS host
MATCH (h:Host {name: host})
SET h:Host
WITH h WHERE h.blockedAt IS NULL
SET h.blockedAt = datetime({epochMillis: coalesce($nowMs, timestamp())}), h.blockReason = $reason, h.blockedAs = $wide
