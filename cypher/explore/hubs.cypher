// Most valuable hubs: pages that link to the most of what was paid
// mode: read
// params: $limit INTEGER pages = 25
// returns: leadsTo (points granted to the pages it links to), how many of them were paid, reward,
//          strength (weights of all axons), url
// source: [000.distribute]
MATCH (paid:PageNeuron:Rewarded)
WHERE paid.baseReward > 0
MATCH (p:PageNeuron)-[:LINK_AXON]->(paid)
WITH p, sum(paid.baseReward) AS leadsTo, count(paid) AS paidPages
ORDER BY leadsTo DESC, paidPages DESC, p.url LIMIT $limit
RETURN leadsTo, paidPages, p.reward AS reward, p.strength AS strength, p.url AS url
ORDER BY leadsTo DESC, paidPages DESC, url
