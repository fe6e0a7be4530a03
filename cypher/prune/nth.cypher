// The reward of the one that is so many places from the poorest of the living, or of what may be pruned, between two rewards
// mode: read
// params: $low FLOAT least reward
//         $high FLOAT greatest reward
//         $place INTEGER from 0
//         $spares BOOLEAN whether to leave out what is never pruned, and waiting newborns
//         $byStrength BOOLEAN whether that is reward by strength, for steady mode = false
//         $spareDistributions INTEGER distributions that a waiting newborn is spared for
//         $spareMs INTEGER milliseconds that a waiting newborn is spared for
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: reward, one row; none where there are not that many
// source: [000.prune]
  // include: prune/between.part
RETURN
  // include: prune/key.part
  AS reward ORDER BY reward SKIP $place LIMIT 1
