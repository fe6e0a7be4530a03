// Note on job feeds that what came this time is none; their jobs stay
// mode: write
// params: $urls LIST<STRING> pages that were visited again
//         $error STRING what to note
// returns: url of each that is a job feed
// source: [000.process]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
WHERE p:JobFeed
SET p.error = $error
RETURN p.url AS url
