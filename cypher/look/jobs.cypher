// Jobs of all feeds and pages, the newest first
// mode: read
// params: $what STRING all, new, changed or gone = "all"
//         $since DATETIME from when on; null: ever = null
//         $limit INTEGER jobs = 100
// returns: id, title, company, place, country, region, city, posted, firstSeenAt, lastSeenAt, changedAt, goneAt, url, feed, description, placeRaw, postedRaw
// source: [000.process]
MATCH (j:Job)
WITH j, CASE $what WHEN 'new' THEN j.firstSeenAt WHEN 'changed' THEN j.changedAt WHEN 'gone' THEN j.goneAt
        ELSE coalesce(j.goneAt, j.lastSeenAt, j.firstSeenAt) END AS at
WHERE at IS NOT NULL AND ($since IS NULL OR at >= $since)
WITH j ORDER BY j.firstSeenAt DESC, j.key LIMIT $limit
RETURN j.key AS id, j.title AS title, j.company AS company, j.place AS place, j.country AS country,
       j.region AS region, j.city AS city, j.posted AS posted, j.firstSeenAt AS firstSeenAt,
       j.lastSeenAt AS lastSeenAt, j.changedAt AS changedAt, j.goneAt AS goneAt, j.url AS url, j.feed AS feed,
       j.description AS description, j.placeRaw AS placeRaw, j.postedRaw AS postedRaw
