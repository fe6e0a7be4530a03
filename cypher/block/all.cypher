// Ask no host any more that a name stands for
// mode: write
// params: $wide STRING the name: example.org:* or *.example.org
//         $bare STRING the host name in it
//         $below BOOLEAN whether it stands for the hosts below that too
//         $reason STRING why, in words = null
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: hosts, how many it stands for by now; changed, names of those that were not blocked before
// source: design of the graph
MATCH (h:Host)
WHERE (h.name = $bare OR h.name STARTS WITH $bare + ':' OR $below AND (h.name ENDS WITH '.' + $bare OR h.name CONTAINS '.' + $bare + ':'))
  AND NOT (h.name STARTS WITH '*.' OR h.name ENDS WITH ':*')
WITH h ORDER BY h.name
SET h:Host                                                           // lock, then look
WITH h, h.blockedAt IS NULL AS open, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
FOREACH (_ IN CASE WHEN open THEN [1] ELSE [] END |
  SET h.blockedAt = now, h.blockReason = $reason, h.blockedAs = $wide)
RETURN count(h) AS hosts, collect(CASE WHEN open THEN h.name END) AS changed
