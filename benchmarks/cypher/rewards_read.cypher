// Read all rewards
// mode: read
// params: none
// returns: number, reward of each neuron
// source: a benchmark
MATCH (p:PageNeuron)
RETURN p.neuronId AS number, p.reward AS reward
