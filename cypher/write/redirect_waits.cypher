// Let the targets of redirects wait as long as the redirecting servers asked to
// mode: write
// params: $waits LIST<MAP> url of the target, waitS seconds that it is to wait
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: RFC 9110 §10.2.3
UNWIND $waits AS row
MATCH (p:PageNeuron {url: row.url})
SET p:PageNeuron                                                      // lock, then look
WITH row, p WHERE p:Frontier
SET p.priority = null,
    p.readyAt = datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({seconds: row.waitS})
