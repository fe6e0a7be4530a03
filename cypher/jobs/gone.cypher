// Mark jobs that a whole reading no longer lists; a job is gone when nobody lists it
// mode: write
// params: $readings LIST<MAP> lister URL, at DATETIME of the reading, feed whether it was a job feed
//         $limit INTEGER listings at once = 5000
// returns: lister, dropped listings, gone jobs
// source: [000.process]
UNWIND $readings AS row
MATCH (p:PageNeuron {url: row.lister})-[l:LISTS]->(j:Job)
WHERE l.lastSeenAt < row.at AND l.goneAt IS NULL AND (row.feed OR NOT p:JobFeed)
WITH row, l, j LIMIT $limit
SET l.goneAt = row.at
WITH row, j, [(j)<-[other:LISTS]-(o:PageNeuron) WHERE other.goneAt IS NULL | CASE WHEN o:JobFeed THEN o.url END] AS listed
FOREACH (_ IN CASE WHEN listed = [] THEN [1] ELSE [] END | SET j.goneAt = row.at)
FOREACH (_ IN CASE WHEN listed <> [] AND j.feed = row.lister THEN [1] ELSE [] END | SET j.feed = head([url IN listed WHERE url IS NOT NULL]))
RETURN row.lister AS lister, count(*) AS dropped, sum(CASE WHEN listed = [] THEN 1 ELSE 0 END) AS gone
