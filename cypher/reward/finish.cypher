// Count distributions, the clock by which a newborn's age is told, and keep what the last one cost
// mode: write
// params: $iterations INTEGER distributions just done
//         $seconds FLOAT what they took together
//         $axons INTEGER how many axons there were
//         $damping FLOAT share of reward that flowed on in steady mode, null in neural = null
// returns: distributions so far
// source: [000.newborn] [000.prune]
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.distributions = coalesce(m.distributions, 0) + $iterations,
    m.distributedAt = datetime({epochMillis: timestamp()}),
    m.distributionS = $seconds / $iterations, m.distributionAxons = $axons,
    m.rewardDamping = $damping
RETURN m.distributions AS distributions
