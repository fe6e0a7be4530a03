// Reserve the download of one origin's tdmrep.json for one worker
// mode: write
// params: $origin STRING scheme://host:port
//         $worker STRING who wants to ask
//         $asOf DATETIME a file that expires later need not be asked for
//         $claimS INTEGER seconds until another worker may ask
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: one row where the worker may ask, else none
// source: TDM Reservation Protocol
MERGE (o:Origin {key: $origin})
SET o:Origin                                                         // lock, then look
WITH o, properties(o) AS seen, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
WHERE coalesce(seen.tdmExpiresAt <= $asOf, true) AND (coalesce(seen.tdmAskedUntil <= now, true) OR seen.tdmAskedBy = $worker)
SET o.tdmAskedBy = $worker, o.tdmAskedUntil = now + duration({seconds: $claimS})
RETURN o.key AS origin
