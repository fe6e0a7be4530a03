// Hubs, the pages with the most axon weight, where reward pools
// mode: read
// params: $limit INTEGER pages = 25
// returns: strength (weights of all axons), inLinks, reward, reward per strength, url
// source: [000.distribute]
MATCH (p:PageNeuron)
WHERE p.strength > 0
WITH p ORDER BY p.strength DESC, p.url LIMIT $limit
RETURN p.strength AS strength, p.inLinks AS inLinks, p.reward AS reward,
       p.reward / p.strength AS rewardPerStrength, p.url AS url
