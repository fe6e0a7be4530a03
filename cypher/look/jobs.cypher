// Jobs that pass a filter, those seen first last at the top
// mode: read
// params: $what STRING "all"; "new", "changed" or "gone": of the last reading of the feed that lists them, or of the last run where a page does; "any": one of the three since $since = "all"
//         $since DATETIME from then on, in place of the last reading; null: none = null
//         $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $limit INTEGER jobs = 25
// returns: one row a job; batch that added it
// source: [000.evaluate]
CALL () {
  UNWIND CASE WHEN $since IS NULL THEN [1] ELSE [] END AS _
  OPTIONAL MATCH (c:Crawl) WHERE c.id IS NOT NULL
  WITH _, max(c.startedAt) AS begun                                     // a page may be read but once: new in one run
  MATCH (j:Job) WHERE j.key IS NOT NULL
  WITH j, begun WHERE $what = 'all' OR EXISTS {
    MATCH (source:PageNeuron)-[l:LISTS]->(j)
    WITH j, l, source, coalesce(source.readAt, source.fetchedAt) AS readAt,
         CASE WHEN source.readAt IS NULL THEN source.fetchedAt - duration({milliseconds: 1})
              ELSE coalesce(source.readBeforeAt, datetime({epochMillis: 0})) END AS after // a killed reading counts
    WHERE (source:JobFeed OR coalesce(readAt >= begun, true)) AND CASE $what      // whose doing it was
            WHEN 'new' THEN j.firstSeenAt > after AND coalesce(l.firstSeenAt <= j.firstSeenAt, true)
            WHEN 'changed' THEN j.changedAt > after AND j.changedAt > j.firstSeenAt AND coalesce(j.wordedBy = source.neuronId, true)
            WHEN 'gone' THEN j.goneAt > after AND coalesce(l.goneAt = j.goneAt, true)
            ELSE false END
    RETURN source
  }
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['new', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.firstSeenAt >= $since AND j.key IS NOT NULL
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['changed', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.changedAt >= $since AND j.key IS NOT NULL
  WITH j, j.firstSeenAt AS firstSeenAt                                // else no index would be used
  WHERE j.changedAt > firstSeenAt AND ($what = 'changed' OR firstSeenAt < $since) // each job once
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['gone', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.goneAt >= $since AND j.key IS NOT NULL
  WITH j WHERE $what = 'gone' OR j.firstSeenAt < $since
    AND NOT coalesce(j.changedAt >= $since AND j.changedAt > j.firstSeenAt, false)
  RETURN j
}
WITH j AS n WHERE
  // include: look/passes.part
WITH n ORDER BY n.firstSeenAt DESC, n.key LIMIT $limit
RETURN n.key AS id, n.title AS title, n.company AS company, n.place AS place, n.country AS country,
       n.region AS region, n.city AS city, n.posted AS posted,
       n.firstSeenAt AS firstSeenAt, n.lastSeenAt AS lastSeenAt, n.changedAt AS changedAt, n.goneAt AS goneAt,
       n.url AS url, n.feed AS feed, n.description AS description,
       n.employment AS employment, n.salary AS salary, n.closes AS closes, n.placeRaw AS placeRaw, n.postedRaw AS postedRaw,
       coalesce(n.batch, 0) AS batch
