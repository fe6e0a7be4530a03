// Find the page that stands for what was read: the same content under another URL is the same feed
// mode: read
// params: $pages LIST<MAP> url of the page that was read, digest of its content if it is a job feed, else ""
// returns: url, lister URL of the page that its jobs hang on; aliases some URLs that redirect to a page; of the last reading: readMs, readJobs; old whether its listings are of a former form
// source: [000.evaluate]
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url})
OPTIONAL MATCH (known:JobFeed) USING INDEX known:JobFeed(digest) WHERE known.digest = row.digest
WITH row, p, head(collect(known)) AS known
WITH row, p, coalesce(known.url, p.feedUrl, p.url) AS lister
MATCH (l:PageNeuron {url: lister})
RETURN row.url AS url, lister,
       CASE WHEN row.digest = "" THEN COLLECT { MATCH (p)(()<-[:REDIRECTS_TO]-()){1,5}(a:PageNeuron) RETURN DISTINCT a.url LIMIT 20 }
            ELSE [] END AS aliases, l.readAt.epochMillis AS readMs, l.readJobs AS readJobs, coalesce(l.listsOld, false) AS old
