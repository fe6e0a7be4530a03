// Tell that a run is alive, and what limits it; hear what its graph wants of it, and what it is in charge of
// mode: write
// params: $id STRING of the run
//         $cause STRING what limits it, a word of limits.Cause
//         $phrase STRING the same for people
//         $works STRING what ran beside it, as JSON, or null = null
//         $worker STRING its name = ""
//         $duties LIST<STRING> what it would do for all workers, where no other one does = []
//         $leaseMs INTEGER milliseconds that it is in charge of it = 5000
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: paused, stopped, breaksOff; duties that it is in charge of; pagesOfOthers, that all other runs recorded with content
// source: design of the command line
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MATCH (c:Crawl {id: $id})
SET c.beatAt = now, c.limitCause = $cause, c.limitedBy = $phrase, c.works = coalesce($works, c.works)
WITH c, now
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
CALL (now) {
  UNWIND $duties AS duty
  MATCH (g:WriteGate {name: duty})
  SET g:WriteGate                                                    // lock, then look
  WITH g, now, properties(g) AS seen
  WHERE seen.leasedUntil IS NULL OR seen.leasedUntil <= now OR seen.leasedBy = $worker
  SET g.leasedBy = $worker, g.leasedUntil = now + duration({milliseconds: $leaseMs})
  RETURN collect(g.name) AS duties
}
CALL (c) {
  MATCH (o:Crawl) WHERE o.id IS NOT NULL AND o <> c
  RETURN sum(coalesce(o.fetched, 0)) AS pagesOfOthers
}
WITH m, duties, pagesOfOthers, coalesce(m.stopAt > c.startedAt, false) AS stopped
RETURN m.pausedAt IS NOT NULL AS paused, stopped, stopped AND coalesce(m.stopBreaksOff, false) AS breaksOff, duties, pagesOfOthers
