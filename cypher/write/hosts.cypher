// Keep what was learnt about hosts, and give back those that a worker is done with
// mode: write
// params: $hosts LIST<MAP> name; names for many hosts that hold for it; asked whether anything else is known: delayS, pauseS and latencyS in seconds (0: not known), refusals, requests to add, trouble in words (empty: none, null: as before), answered, failures since the last answer, token or null, fresh whether a page of it was accepted; sorted by name
//         $parkFailures INTEGER failures in a row before a host is parked
//         $parkFirstS FLOAT seconds, doubled with each further failure
//         $parkLongestS FLOAT seconds
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: name, parkS of each host that is to be left alone for that many seconds
// source: design of the graph
UNWIND $hosts AS row
MERGE (h:Host {name: row.name})
SET h:Host
WITH row, h, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
// include: frontier/obey_names.part
SET h.nextFetchAt = coalesce(h.nextFetchAt, now), h.failures = coalesce(h.failures, 0)
WITH row, h, now, coalesce(h.token = row.token, false) AS back
WHERE row.asked AND (row.fresh OR back)
SET h.delayS = row.delayS, h.failures = CASE WHEN row.answered THEN 0 ELSE h.failures END + row.failures,
    h.latencyS = CASE WHEN row.latencyS > 0 THEN row.latencyS ELSE h.latencyS END, h.refusals = row.refusals,
    h.requests = coalesce(h.requests, 0) + row.requests,
    h.trouble = CASE row.trouble WHEN '' THEN null ELSE coalesce(row.trouble, h.trouble) END
WITH row, h, now, back, CASE WHEN h.failures < $parkFailures THEN 0.0 ELSE
  reduce(s = $parkFirstS, _ IN range(1, h.failures - $parkFailures) | CASE WHEN s < $parkLongestS / 2 THEN s * 2 ELSE $parkLongestS END)
END AS parkS
WITH h, now, back, parkS, CASE WHEN parkS > row.pauseS THEN parkS ELSE row.pauseS END AS waitS
WITH h, back, parkS, waitS, now + duration({seconds: waitS}) AS nextFetchAt
FOREACH (_ IN CASE WHEN back THEN [1] ELSE [] END |
  REMOVE h.leasedBy, h.token
  SET h.nextFetchAt = nextFetchAt, h.parkedUntil = CASE WHEN waitS >= $parkFirstS THEN nextFetchAt END)
WITH h, parkS WHERE parkS > 0
RETURN h.name AS name, parkS
