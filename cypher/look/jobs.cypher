// Jobs that pass a filter, those seen first last at the top
// mode: read
// params: $what STRING "all"; "new", "changed" or "gone": of the last reading of the feed that lists them, or of the last run where a page does; "any": one of the three since $since = "all"
//         $since DATETIME from then on, in place of the last reading; null: none = null
//         $terms LIST<MAP> {op, property, value}; all must hold; op is one of those below = []
//         $limit INTEGER jobs = 25
// returns: one row a job; posted is a DATE or a DATETIME, as it was stated
// source: [000.evaluate]
CALL () {
  UNWIND CASE WHEN $since IS NULL THEN [1] ELSE [] END AS _
  OPTIONAL MATCH (c:Crawl)
  WITH _, max(c.startedAt) AS begun                                     // a page may be read but once: new in one run
  MATCH (j:Job)
  WHERE $what = 'all' OR EXISTS {
    MATCH (source:PageNeuron)-[:LISTS]->(j)
    WITH j, source, CASE WHEN source.readAt IS NULL THEN source.fetchedAt - duration({milliseconds: 1})
                         ELSE coalesce(source.readBeforeAt, datetime({epochMillis: 0})) END AS after // a killed reading counts
    WHERE (source:JobFeed OR coalesce(source.fetchedAt >= begun, true)) AND CASE $what
            WHEN 'new' THEN j.firstSeenAt > after
            WHEN 'changed' THEN j.changedAt > after AND j.changedAt > j.firstSeenAt
            WHEN 'gone' THEN j.goneAt > after
            ELSE false END
    RETURN source
  }
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['new', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.firstSeenAt >= $since
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['changed', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.changedAt >= $since
  WITH j, j.firstSeenAt AS firstSeenAt                                // else no index would be used
  WHERE j.changedAt > firstSeenAt AND ($what = 'changed' OR firstSeenAt < $since) // each job once
  RETURN j
  UNION ALL
  UNWIND CASE WHEN $what IN ['gone', 'any'] THEN [1] ELSE [] END AS _
  MATCH (j:Job) WHERE j.goneAt >= $since
  WITH j WHERE $what = 'gone' OR j.firstSeenAt < $since
    AND NOT coalesce(j.changedAt >= $since AND j.changedAt > j.firstSeenAt, false)
  RETURN j
}
WITH j, CASE WHEN j.posted IS :: DATE NOT NULL THEN datetime({date: j.posted}) ELSE j.posted END AS posted
WHERE all(t IN [t IN $terms | {op: t.op, value: t.value,
    is: CASE t.property WHEN 'posted' THEN posted ELSE j[t.property] END}] WHERE
  CASE t.op
    WHEN '=' THEN t.is = t.value
    WHEN '!=' THEN coalesce(t.is <> t.value, true)
    WHEN '>' THEN t.is > t.value
    WHEN '>=' THEN t.is >= t.value
    WHEN '<' THEN t.is < t.value
    WHEN '<=' THEN t.is <= t.value
    WHEN '~' THEN toLower(t.is) CONTAINS toLower(t.value)
    WHEN 'present' THEN t.is IS NOT NULL
    WHEN 'absent' THEN t.is IS NULL
    ELSE false
  END)
WITH j ORDER BY j.firstSeenAt DESC, j.key LIMIT $limit
RETURN j.key AS id, j.title AS title, j.company AS company, j.place AS place, j.country AS country,
       j.region AS region, j.city AS city, j.posted AS posted,
       j.firstSeenAt AS firstSeenAt, j.lastSeenAt AS lastSeenAt, j.changedAt AS changedAt, j.goneAt AS goneAt,
       j.url AS url, j.feed AS feed, j.description AS description,
       j.employment AS employment, j.salary AS salary, j.closes AS closes, j.placeRaw AS placeRaw, j.postedRaw AS postedRaw
