// Let pages that were given up wait again
// mode: write
// params: $urls LIST<STRING> pages that looked so
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
// returns: url, host of each that waits now
// source: design of the graph
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url}) SET p:PageNeuron                      // lock, then look
WITH p WHERE p:Failed
REMOVE p:Failed, p.reason, p.error, p.tries, p.putOffs, p.readyAt
SET p:Frontier, p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0))
RETURN p.url AS url, p.host AS host
