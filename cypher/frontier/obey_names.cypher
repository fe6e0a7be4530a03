// Block hosts that nobody has asked yet where a name above them is blocked
// mode: write
// params: $hosts LIST<MAP> name; names for many hosts that hold for it; sorted by name
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
UNWIND $hosts AS row
MATCH (h:Host {name: row.name})
SET h:Host
WITH row, h, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
// include: frontier/obey_names.part
