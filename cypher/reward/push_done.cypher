// Note what a push did
// mode: write
// params: $epsilon FLOAT residual that a neuron may have kept, in points a unit of strength
//         $seconds FLOAT that it took
//         $moved BOOLEAN whether reward moved: newborns have lived through one more distribution
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: [000.newborn] [000.prune]; design of the reward
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.pushEpsilon = $epsilon, m.pushedAt = datetime({epochMillis: coalesce($nowMs, timestamp())}), m.pushS = $seconds,
    m.distributions = coalesce(m.distributions, 0) + CASE WHEN $moved THEN 1 ELSE 0 END
