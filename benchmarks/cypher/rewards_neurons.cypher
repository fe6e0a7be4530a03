// Create a batch of neurons; seven of ten wait
// mode: write
// params: $rewards LIST<FLOAT> one a neuron
//         $first INTEGER number of the first
//         $hosts INTEGER how many there are
// returns: id of each
// source: a benchmark
UNWIND range(0, size($rewards) - 1) AS i
WITH $first + i AS number, $rewards[i] AS reward
WITH number, reward, 'h' + number % $hosts + '.example' AS host
CREATE (p:PageNeuron {url: 'http://' + host + '/' + number, neuronId: number, host: host,
                      reward: reward})
FOREACH (_ IN CASE WHEN number % 10 < 7 THEN [1] ELSE [] END | SET p:Frontier, p.priority = reward)
RETURN id(p) AS id
