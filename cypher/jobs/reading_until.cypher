// Say until when a reading that goes on beside the crawl may write its jobs; after that the feed is due
// mode: write
// params: $urls LIST<STRING> pages that are read
//         $seconds FLOAT from now; null: no reading goes on any more
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: [000.process]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
SET p.readingUntil = CASE WHEN $seconds IS NOT NULL THEN
  datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({milliseconds: toInteger($seconds * 1000)}) END
