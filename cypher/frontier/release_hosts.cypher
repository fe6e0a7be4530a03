// Give back a worker's hosts, unless it has taken them again meanwhile
// mode: write
// params: $worker STRING who holds them
//         $hosts LIST<MAP> name, token of the worker's newest claim; sorted by name
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
UNWIND $hosts AS row
MATCH (h:Host {name: row.name}) SET h:Host
WITH row, h WHERE h.leasedBy = $worker AND h.token <= row.token
REMOVE h.leasedBy, h.token
SET h.nextFetchAt = datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({seconds: coalesce(h.delayS, 0.0)})
