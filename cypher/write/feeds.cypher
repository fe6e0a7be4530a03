// Recognise job feeds; the same content under another URL is the same feed
// mode: write
// params: $feeds LIST<MAP> digest, form, jobs, urls of the pages that hold it
// returns: url, feedUrl of each page, new whether nobody had found that feed before
// source: [000.evaluate]
UNWIND $feeds AS row
OPTIONAL MATCH (known:JobFeed) USING INDEX known:JobFeed(digest) WHERE known.digest = row.digest
WITH row, head(collect(known)) AS known
MATCH (first:PageNeuron {url: row.urls[0]})
WITH row, first, known IS NULL AND first.feedUrl IS NULL AS new, coalesce(known.url, first.feedUrl, first.url) AS feedUrl
FOREACH (_ IN CASE WHEN new OR first.feedUrl = first.url THEN [1] ELSE [] END |
  SET first:JobFeed, first.feedForm = row.form, first.feedJobs = row.jobs)
WITH row, new, feedUrl
UNWIND row.urls AS url
RETURN url, feedUrl, new AND url = feedUrl AS new
