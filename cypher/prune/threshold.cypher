// The reward of the poorest neuron to keep when so many are to be kept
// mode: read
// params: $keep INTEGER neurons to keep, at least 1
// returns: below, one row; none where there are not that many
// source: [000.prune]
MATCH (p:PageNeuron) WHERE NOT p:Pruned AND p.reward IS NOT NULL
RETURN p.reward AS below ORDER BY below DESC SKIP $keep - 1 LIMIT 1
