// Let job feeds and pages with jobs wait again whose next reading is due
// mode: write
// params: $urls LIST<STRING> job feeds and pages with jobs
//         $all BOOLEAN also feeds that are not due = false
//         $firstS FLOAT seconds until a feed is read for the second time = 3600.0
//         $slower FLOAT factor of the interval after a reading that failed
//         $longestS FLOAT seconds between two readings at most
//         $pageLongestS FLOAT seconds between two visits of a page with jobs at most
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url of each that waits now
// source: [000.order] [000.process]
UNWIND $urls AS url
MATCH (f:PageNeuron {url: url}) SET f:PageNeuron                      // lock, then look
WITH f, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
WHERE (f:JobFeed OR f:JobPage) AND f:Fetched AND NOT f:Frontier AND NOT f:Leased AND NOT f:Pruned
  AND coalesce(f.readingUntil <= now, true)                           // else its jobs are being written
  AND (f.nextVisitAt <= now OR f.readingUntil <= now OR $all AND f:JobFeed)
WITH f, now, coalesce(f.visitIntervalS, $firstS) AS intervalS
WITH f, now, CASE WHEN f.error IS NULL THEN intervalS ELSE intervalS * $slower END AS wished
WITH f, now, CASE WHEN f:JobFeed AND wished > $longestS THEN $longestS WHEN wished > $pageLongestS THEN $pageLongestS
                  ELSE wished END AS intervalS,
     CASE WHEN f:JobFeed THEN 1.0 ELSE coalesce(f.feedHint, 0.0) END AS feedHint
REMOVE f.score                                                        // a reading that is due goes by reward, in every order
SET f:Frontier, f.feedHint = feedHint, f.priority = f.reward + $feedHintPoints * feedHint, f.tries = 1,  // some are left
    f.visitIntervalS = intervalS, f.readingUntil = NULL,
    f.nextVisitAt = now + duration({milliseconds: toInteger(intervalS * 1000)}) // should this reading fail
RETURN f.url AS url
