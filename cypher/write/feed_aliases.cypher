// Note which pages lead to a job feed: itself, and whatever redirects to it
// mode: write
// params: $feeds LIST<MAP> url, feedUrl
// returns: url, feedUrl of each page that did not lead there before
// source: [000.evaluate]
UNWIND $feeds AS row
MATCH (:PageNeuron {url: row.url})(()<-[:REDIRECTS_TO]-()){0,5}(p:PageNeuron)
WITH DISTINCT p, row.feedUrl AS feedUrl WHERE p.feedUrl IS NULL
SET p.feedUrl = feedUrl
RETURN p.url AS url, feedUrl
