// Job feeds that were read since their interval was last learned, or that are due, and pages with jobs that are
// mode: read
// params: $all BOOLEAN also feeds that are not due = false
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, host, depth
// source: [000.process]
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
CALL (now) {
  MATCH (f:JobFeed)
  WHERE coalesce(f.readingUntil <= now, true)                         // else its jobs are being written
    AND (f.readingUntil IS NOT NULL OR coalesce(f.visitLearnedAt <> f.fetchedAt, true) OR f.nextVisitAt <= now OR $all)
  RETURN f
  UNION
  MATCH (f:JobPage) USING INDEX f:JobPage(nextVisitAt)
  WHERE f.nextVisitAt <= now
  RETURN f
}
WITH f WHERE f:PageNeuron AND f:Fetched AND NOT f:Frontier AND NOT f:Leased AND NOT f:Pruned
RETURN f.url AS url, f.host AS host, f.depth AS depth
ORDER BY f.nextVisitAt, url
