// Let hosts be asked again that a lease holds until far beyond any that is given
// mode: write
// params: $longestMs INTEGER milliseconds; no lease is longer = 172800000
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: name of each
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (h:Host) USING INDEX h:Host(name)
WHERE h.name >= '' AND h.leasedBy IS NOT NULL AND h.nextFetchAt > now + duration({milliseconds: $longestMs})
WITH h, now ORDER BY h.name
SET h:Host                                                           // lock, then look
WITH h, now, properties(h) AS seen
WHERE seen.leasedBy IS NOT NULL AND seen.nextFetchAt > now + duration({milliseconds: $longestMs})
SET h.nextFetchAt = now, h.leasedBy = null
RETURN h.name AS name
