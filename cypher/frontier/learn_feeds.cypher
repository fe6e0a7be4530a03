// Learn from the last reading how often a feed changes, and say when it is to be read again
// mode: write
// params: $urls LIST<STRING> job feeds
//         $firstS FLOAT seconds until a feed is read for the second time
//         $shortestS FLOAT seconds between two readings at least
//         $longestS FLOAT seconds between two readings at most
//         $faster FLOAT factor of the interval after a change
//         $slower FLOAT factor of the interval when nothing changed
// returns: url, intervalS, changed of each that was read since
// source: [000.process]
UNWIND $urls AS url
MATCH (f:PageNeuron {url: url}) SET f:PageNeuron                      // lock, then look
WITH f WHERE f:JobFeed AND f:Fetched AND f.readingUntil IS NULL AND coalesce(f.visitLearnedAt <> f.fetchedAt, true)
WITH f, coalesce(f.digest <> f.visitDigest, true) AND
  CASE WHEN f.readAt = f.fetchedAt THEN f.readNew + f.readChanged + f.readGone > 0 OR coalesce(f.readEnded = 'empty', false)
       ELSE NOT EXISTS { MATCH (f)-[:LISTS]->(:Job) }                 // no jobs are kept: the bytes must do
  END AS changed
WITH f, changed, CASE WHEN f.visitLearnedAt IS NULL THEN $firstS
                      WHEN changed THEN f.visitIntervalS * $faster
                      ELSE f.visitIntervalS * $slower END AS wished
WITH f, changed, CASE WHEN wished < $shortestS THEN $shortestS WHEN wished > $longestS THEN $longestS
                      ELSE wished END AS intervalS
SET f.visitIntervalS = intervalS, f.visitLearnedAt = f.fetchedAt, f.visitDigest = f.digest,
    f.nextVisitAt = f.fetchedAt + duration({milliseconds: toInteger(intervalS * 1000)})
RETURN f.url AS url, intervalS, changed
