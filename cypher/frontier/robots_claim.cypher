// Reserve the download of one origin's robots rules for one worker
// mode: write
// params: $origin STRING scheme://host:port
//         $worker STRING who wants to ask
//         $asOf DATETIME rules that expire later need not be asked for
//         $claimS INTEGER seconds until another worker may ask
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: one row where the worker may ask, else none
// source: [002.robots]
MERGE (o:Origin {key: $origin})
SET o:Origin                                                         // lock, then look
WITH o, properties(o) AS seen, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
WHERE coalesce(seen.expiresAt <= $asOf, true) AND (coalesce(seen.askedUntil <= now, true) OR seen.askedBy = $worker)
SET o.askedBy = $worker, o.askedUntil = now + duration({seconds: $claimS})
RETURN o.key AS origin
