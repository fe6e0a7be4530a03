// Note that a run ends, and why
// mode: write
// params: $id STRING of the run
//         $stopReason STRING why
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
MATCH (c:Crawl {id: $id})
SET c.finishedAt = datetime({epochMillis: coalesce($nowMs, timestamp())}), c.stopReason = $stopReason
