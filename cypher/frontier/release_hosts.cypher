// Give back a worker's hosts
// mode: write
// params: $worker STRING who holds them
//         $names LIST<STRING> host keys, sorted
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
UNWIND $names AS name
MATCH (h:Host {name: name}) SET h:Host
WITH h WHERE h.leasedBy = $worker
REMOVE h.leasedBy, h.token
SET h.nextFetchAt = datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({seconds: coalesce(h.delayS, 0.0)})
