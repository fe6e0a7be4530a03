// End the leases of a worker that is known to be dead; its hosts rest as after a request
// mode: write
// params: $worker STRING its name
//         $id STRING of its run
//         $duties LIST<STRING> that it may have had
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: pages that it held
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (c:Crawl {id: $id})
SET c.finishedAt = now, c.stopReason = 'killed'
WITH now
CALL (now) {
  MATCH (g:WriteGate) WHERE g.name IN $duties
  SET g:WriteGate
  WITH g, now WHERE g.leasedBy = $worker
  SET g.leasedUntil = now
}
CALL () {
  MATCH (p:Leased) USING INDEX p:Leased(leasedUntil) WHERE p.leasedUntil IS NOT NULL AND p.leasedBy = $worker
  RETURN collect(p.url) AS urls, collect(DISTINCT p.host) AS names
}
CALL (now, names) {
  UNWIND names AS name
  WITH name, now ORDER BY name
  MATCH (h:Host {name: name})
  SET h:Host
  WITH h, now WHERE h.leasedBy = $worker
  REMOVE h.leasedBy, h.token
  SET h.nextFetchAt = now + duration({milliseconds: toInteger(1000 * coalesce(h.delayS, 1.0))})
}
CALL (now, urls) {
  UNWIND urls AS url
  MATCH (p:PageNeuron {url: url})
  SET p:PageNeuron
  WITH p, now WHERE p:Leased AND p.leasedBy = $worker
  SET p.leasedUntil = now
  RETURN count(p) AS pages
}
RETURN pages
