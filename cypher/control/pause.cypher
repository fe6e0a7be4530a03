// Let all workers of the graph pause
// mode: write
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: pausedAt, since when; already, whether that was so before; workers that are alive
// source: design of the command line
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m:Meta
WITH m, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now, m.pausedAt IS NOT NULL AS already
SET m.pausedAt = coalesce(m.pausedAt, now)
WITH m, now, already
CALL (now) {
  MATCH (c:Crawl) WHERE c.finishedAt IS NULL AND c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)})
  RETURN count(c) AS workers
}
RETURN m.pausedAt AS pausedAt, already, workers
