// Let all workers of the graph end that have begun by now; a pause is over too
// mode: write
// params: $breakOff BOOLEAN whether pages in flight are broken off too = false
//         $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: workers that are alive
// source: design of the command line
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m:Meta
WITH m, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
REMOVE m.pausedAt
SET m.stopAt = now, m.stopBreaksOff = $breakOff
WITH now
CALL (now) {
  MATCH (c:Crawl) WHERE c.finishedAt IS NULL AND c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)})
  RETURN count(c) AS workers
}
RETURN workers
