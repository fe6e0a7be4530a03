// What a worker that joins is to go by: the run that is alive, else the one that fetched something last
// mode: read
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: id, settings as JSON, rulesDigest
// source: design of the command line
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (c:Crawl) WHERE c.settings IS NOT NULL
WITH c, c.finishedAt IS NULL AND coalesce(c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)}), false) AS alive
WHERE alive OR c.fetched > 0
RETURN c.id AS id, c.settings AS settings, c.rulesDigest AS rulesDigest
ORDER BY alive DESC, c.partOf IS NULL DESC, c.startedAt DESC LIMIT 1
