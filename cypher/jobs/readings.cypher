// Note what the last reading of a feed or page found; a page with jobs is to be visited again
// mode: write
// params: $readings LIST<MAP> lister URL, feed whether it was a job feed, live whether it may list jobs still, properties readAt readWhole readJobs readNew readChanged readGone readCut readRepaired readEnded readUnreadBytes readRepeated readClashes readUntitled
// returns: nothing
// source: [000.process]
UNWIND $readings AS row
MATCH (p:PageNeuron {url: row.lister})
WHERE (row.properties.readJobs > 0 OR p:JobFeed OR p:JobPage)           // an empty one may be of anything
  AND (row.feed OR NOT p:JobFeed) AND coalesce(p.readAt < row.properties.readAt, true)
SET p.readBeforeAt = p.readAt, p += row.properties
FOREACH (_ IN CASE WHEN row.live AND NOT row.feed THEN [1] ELSE [] END | SET p:JobPage)
FOREACH (_ IN CASE WHEN row.feed OR NOT row.live THEN [1] ELSE [] END | REMOVE p:JobPage)
