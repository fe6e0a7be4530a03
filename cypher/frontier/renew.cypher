// Let the leases of a worker's hosts and pages end later
// mode: write
// params: $worker STRING who holds them
//         $pages LIST<MAP> url and token of each
//         $names LIST<STRING> their host keys, sorted
//         $leaseMs INTEGER milliseconds from now until the leases end
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url of each page still held
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp()) + $leaseMs}) AS leaseEnd
CALL (leaseEnd) {
  UNWIND $names AS name
  MATCH (h:Host {name: name}) SET h:Host
  WITH h, leaseEnd WHERE h.leasedBy = $worker
  SET h.nextFetchAt = leaseEnd
}
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url}) SET p:PageNeuron
WITH p, row, leaseEnd WHERE p:Leased AND p.token = row.token
SET p.leasedUntil = leaseEnd
RETURN p.url AS url
