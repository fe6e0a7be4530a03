// Let leases end now that would never end: without a time, or far beyond any that is given
// mode: write
// params: $longestMs INTEGER milliseconds; no lease is longer = 172800000
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url of each
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (p:Leased) USING SCAN p:Leased                                  // few are leased at a time
WHERE (p.leasedUntil IS NULL OR p.leasedUntil > now + duration({milliseconds: $longestMs}))
WITH p, now WHERE p:PageNeuron
SET p:PageNeuron                                                     // lock, then look
WITH p, now, properties(p).leasedUntil AS until
WHERE p:Leased AND (until IS NULL OR until > now + duration({milliseconds: $longestMs}))
SET p.leasedUntil = now
RETURN p.url AS url
