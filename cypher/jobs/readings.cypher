// Note what the last reading of a feed or page found; a page with jobs is to be visited again
// mode: write
// params: $readings LIST<MAP> lister URL, feed whether it was a job feed, live whether it may list jobs still, properties readAt readWhole readJobs readNew readChanged readGone readCut readRepaired readEnded readUnreadBytes readRepeated readClashes readUntitled
//         $pageShortestS FLOAT seconds between two visits of a page with jobs at least
//         $pageLongestS FLOAT seconds between two visits of a page with jobs at most
//         $faster FLOAT factor of the interval after a change
//         $slower FLOAT factor of the interval when nothing changed
// returns: nothing
// source: [000.process]
UNWIND $readings AS row
MATCH (p:PageNeuron {url: row.lister})
WHERE (row.properties.readJobs > 0 OR p:JobFeed OR p:JobPage)           // an empty one may be of anything
  AND (row.feed OR NOT p:JobFeed) AND coalesce(p.readAt < row.properties.readAt, true)
SET p.readBeforeAt = p.readAt, p += row.properties
FOREACH (_ IN CASE WHEN row.feed OR NOT row.live THEN [1] ELSE [] END | REMOVE p:JobPage)
WITH p, row WHERE row.live AND NOT row.feed
WITH p, row.properties AS read, p.visitIntervalS * CASE
  WHEN row.properties.readNew + row.properties.readChanged + row.properties.readGone > 0 THEN $faster ELSE $slower END AS wished
WITH p, read, CASE WHEN wished > $pageLongestS THEN $pageLongestS WHEN wished > $pageShortestS THEN wished
                   ELSE $pageShortestS END AS intervalS
SET p:JobPage, p.visitIntervalS = intervalS,
    p.nextVisitAt = read.readAt + duration({milliseconds: toInteger(intervalS * 1000)})
