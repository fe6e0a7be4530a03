// Let claimed pages wait again, or give them up
// mode: write
// params: $pages LIST<MAP> url, token, tries and putOffs to add, waitS seconds that this page alone has to wait, properties (should it be given up), remark
//         $maxTries INTEGER requests for a page
//         $maxPutOffs INTEGER postponements that are the host's fault
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, token, again whether it waits again; of accepted pages only
// source: design of the graph
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url}) SET p:PageNeuron                  // lock, then look
WITH row, p WHERE p:Leased AND p.token = row.token
REMOVE p:Leased, p.leasedBy, p.leasedUntil, p.token
SET p.tries = coalesce(p.tries, 0) + row.tries, p.putOffs = coalesce(p.putOffs, 0) + row.putOffs
WITH row, p, p.tries < $maxTries AND p.putOffs <= $maxPutOffs AS again
SET p += CASE WHEN again OR p:Fetched THEN row.remark ELSE row.properties END,
    p.priority = CASE WHEN again AND row.waitS = 0 THEN coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0)) END,
    p.readyAt = CASE WHEN again AND row.waitS > 0
                THEN datetime({epochMillis: coalesce($nowMs, timestamp())}) + duration({seconds: row.waitS}) END
FOREACH (_ IN CASE WHEN again THEN [1] ELSE [] END | SET p:Frontier)
FOREACH (_ IN CASE WHEN again OR p:Fetched THEN [] ELSE [1] END | REMOVE p:Excluded SET p:Failed)
RETURN p.url AS url, row.token AS token, again
