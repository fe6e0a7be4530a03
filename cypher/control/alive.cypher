// How many workers are alive, of those that had begun at a time
// mode: read
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: workers, that are to stop by the last word; pausedAt or null
// source: design of the command line
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH now, m.stopAt AS stopAt, m.pausedAt AS pausedAt
CALL (now, stopAt) {
  MATCH (c:Crawl) WHERE c.finishedAt IS NULL AND c.startedAt < stopAt
    AND c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)})
  RETURN count(c) AS workers
}
RETURN workers, pausedAt
