// Take back pages whose leases have ended
// mode: write
// params: $urls LIST<STRING> pages that looked so
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url of each page taken back
// source: design of the graph
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url}) SET p:PageNeuron
WITH p WHERE p:Leased AND p.leasedUntil <= datetime({epochMillis: coalesce($nowMs, timestamp())})
REMOVE p:Leased, p.leasedBy, p.leasedUntil, p.token
SET p:Frontier, p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0))
RETURN p.url AS url
