// Runs that are alive: they told of themselves within the last seconds
// mode: read
// params: $nowMs INTEGER milliseconds since 1970; null: the server's time = null
//         $silentS FLOAT seconds without a word after which a run counts as dead = 15.0
// returns: id, startedAt, cause and phrase (what limits it), fetched pages, partOf (id of the crawl whose worker it is)
// source: design of the command line
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (c:Crawl)
WHERE c.id IS NOT NULL AND c.finishedAt IS NULL AND c.beatAt > now - duration({milliseconds: toInteger(1000 * $silentS)})
RETURN c.id AS id, c.startedAt AS startedAt, c.limitCause AS cause, c.limitedBy AS phrase,
       coalesce(c.fetched, 0) AS fetched, c.partOf AS partOf
ORDER BY startedAt, id
