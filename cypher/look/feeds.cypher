// The job feeds that were found, what their last reading brought, and when the next one is due
// mode: read
// params: $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, form, jobs that it lists now, reward, links (pages that link to it), foundBy; by its last reading: new,
//          changed, gone, cut (records lost), repeated (jobs stated once more), clashes (own ids that mean several
//          jobs), untitled (jobs without title), ended (why it ended early; reading: its jobs are being written), unreadBytes (left then), null where its jobs are not kept; readAt, nextReadAt,
//          intervalS in seconds, waits (for its next reading), error
// source: [000.evaluate]
MATCH (f:JobFeed) WHERE f:PageNeuron
CALL (f) {                                                            // readings keep these counts, but for cut ones
  OPTIONAL MATCH (f)-[l:LISTS]->(j:Job) WHERE f.readAt IS NULL OR NOT f.readWhole
  RETURN count(j) AS kept, count(CASE WHEN j IS NOT NULL AND coalesce(l.goneAt, j.goneAt) IS NULL THEN 1 END) AS live,
         count(CASE WHEN j.firstSeenAt >= f.fetchedAt THEN 1 END) AS new,
         count(CASE WHEN j.changedAt >= f.fetchedAt AND j.changedAt > j.firstSeenAt THEN 1 END) AS changed,
         count(CASE WHEN j.goneAt >= f.fetchedAt THEN 1 END) AS gone
}
WITH f, live, new, changed, gone, kept > 0 AS known
RETURN f.url AS url, f.feedForm AS form,
       CASE WHEN known THEN live ELSE coalesce(f.readJobs, f.feedJobs) END AS jobs, f.reward AS reward,
       f.inLinks AS links, f.foundBy AS foundBy,
       coalesce(f.readNew, CASE WHEN known THEN new END) AS new,
       coalesce(f.readChanged, CASE WHEN known THEN changed END) AS changed,
       coalesce(f.readGone, CASE WHEN known THEN gone END) AS gone, f.readCut AS cut,
       f.readRepeated AS repeated, f.readClashes AS clashes, f.readUntitled AS untitled,
       CASE WHEN f.readingUntil > datetime({epochMillis: coalesce($nowMs, timestamp())}) THEN 'reading'
            WHEN f.readingUntil IS NOT NULL THEN 'stopped' ELSE f.readEnded END AS ended, f.readUnreadBytes AS unreadBytes,
       coalesce(f.readAt, f.fetchedAt) AS readAt, f.nextVisitAt AS nextReadAt, f.visitIntervalS AS intervalS,
       f:Frontier OR f:Leased AS waits, f.error AS error
ORDER BY f.fetchedAt, f.url
