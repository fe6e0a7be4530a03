// Let all workers of the graph go on
// mode: write
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: wasPaused; workers that are alive
// source: design of the command line
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m:Meta
WITH m, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now, m.pausedAt IS NOT NULL AS wasPaused
REMOVE m.pausedAt
WITH now, wasPaused
CALL (now) {
  MATCH (c:Crawl) WHERE c.finishedAt IS NULL AND c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)})
  RETURN count(c) AS workers
}
RETURN wasPaused, workers
