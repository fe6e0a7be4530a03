// Tell that a run is alive, and what limits it
// mode: write
// params: $id STRING of the run
//         $cause STRING what limits it, a word of limits.Cause
//         $phrase STRING the same for people
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the command line
MATCH (c:Crawl {id: $id})
SET c.beatAt = datetime({epochMillis: coalesce($nowMs, timestamp())}), c.limitCause = $cause, c.limitedBy = $phrase
