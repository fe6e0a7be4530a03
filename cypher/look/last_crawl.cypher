// The run that was started last, workers of others left out
// mode: read
// params: none
// returns: id, startedAt, finishedAt (null while it runs or when it was killed), stopReason, order
// source: design of the graph
MATCH (c:Crawl) WHERE c.id IS NOT NULL AND c.partOf IS NULL
RETURN c.id AS id, c.startedAt AS startedAt, c.finishedAt AS finishedAt,
       c.stopReason AS stopReason, coalesce(c.order, 'reward') AS order
ORDER BY c.startedAt DESC LIMIT 1
