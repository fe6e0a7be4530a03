// Let the leases of a worker's hosts and pages end later; one that has ended is lost, even if nobody took it yet
// mode: write
// params: $worker STRING who holds them
//         $pages LIST<MAP> url and token of each
//         $leaseMs INTEGER milliseconds from now until the leases end
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url of each page still held
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
WITH now, now + duration({milliseconds: $leaseMs}) AS leaseEnd
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url}) SET p:PageNeuron
WITH p, row, now, leaseEnd WHERE p:Leased AND p.token = row.token AND p.leasedUntil > now
SET p.leasedUntil = leaseEnd
WITH leaseEnd, p.host AS name, collect(p.url) AS urls
MATCH (h:Host {name: name})                                          // locked by lock_hosts, before
FOREACH (_ IN CASE WHEN h.leasedBy = $worker THEN [1] ELSE [] END | SET h.nextFetchAt = leaseEnd)
WITH urls
UNWIND urls AS url
RETURN url
