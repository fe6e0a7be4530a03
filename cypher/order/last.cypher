// The settings of the run that is alive, else of the one that was started last, of those that fetched something
// mode: read
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: settings as JSON; alive
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (c:Crawl) WHERE c.id IS NOT NULL
WITH c, c.finishedAt IS NULL AND coalesce(c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)}), false) AS alive
WHERE alive OR c.fetched > 0
RETURN c.settings AS settings, alive
ORDER BY alive DESC, c.startedAt DESC LIMIT 1
