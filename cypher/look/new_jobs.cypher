// Jobs that were added by some transactions, in their order
// mode: read
// params: $after INTEGER batch of the last transaction that was looked at
//         $until INTEGER batch of the last one to look at
//         $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
// returns: one row a job, as look/jobs
// source: [000.evaluate]
MATCH (n:Job) USING INDEX n:Job(batch)
WHERE $after < n.batch <= $until AND
  // include: look/passes.part
WITH n ORDER BY n.batch, n.firstSeenAt, n.key
RETURN n.key AS id, n.title AS title, n.company AS company, n.place AS place, n.country AS country,
       n.region AS region, n.city AS city, n.posted AS posted,
       n.firstSeenAt AS firstSeenAt, n.lastSeenAt AS lastSeenAt, n.changedAt AS changedAt, n.goneAt AS goneAt,
       n.url AS url, n.feed AS feed, n.description AS description,
       n.employment AS employment, n.salary AS salary, n.closes AS closes, n.placeRaw AS placeRaw, n.postedRaw AS postedRaw,
       n.batch AS batch
