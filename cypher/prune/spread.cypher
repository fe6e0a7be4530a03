// How rewards are spread over the living, or over what may be pruned, between two of them
// mode: read
// params: $low FLOAT least reward
//         $high FLOAT greatest reward
//         $from FLOAT where the first span begins
//         $width FLOAT of a span in reward; where $logarithmic, in its natural logarithm
//         $logarithmic BOOLEAN whether spans are of equal ratio; rewards up to 0 are one span then
//         $spares BOOLEAN whether to leave out what is never pruned, and waiting newborns
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: least, greatest (rewards) and neurons, a row a span, the poorest first
// source: [000.prune]
  // include: prune/between.part
WITH
  // include: prune/key.part
  AS reward
WITH reward, CASE WHEN NOT $logarithmic THEN toInteger((reward - $from) / $width)
                  WHEN reward <= 0 THEN -1000000000 ELSE toInteger(floor((log(reward) - $from) / $width)) END AS span
RETURN span, min(reward) AS least, max(reward) AS greatest, count(*) AS neurons ORDER BY span
