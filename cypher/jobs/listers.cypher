// Find the page that stands for a job feed: the same content under another URL is the same feed
// mode: read
// params: $feeds LIST<MAP> url of the page that was read, digest of its content
// returns: url, lister URL of the page that its jobs hang on
// source: [000.evaluate]
UNWIND $feeds AS row
MATCH (p:PageNeuron {url: row.url})
OPTIONAL MATCH (known:JobFeed) USING INDEX known:JobFeed(digest) WHERE known.digest = row.digest
WITH row, p, head(collect(known)) AS known
RETURN row.url AS url, coalesce(known.url, p.feedUrl, p.url) AS lister
