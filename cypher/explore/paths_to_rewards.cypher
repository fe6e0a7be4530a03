// Ways to rewards: the shortest from a seed to each of the best-paid pages
// mode: read
// params: $limit INTEGER pages = 15
// returns: paths (seed)→…→(page that a rule paid), at most 12 links long, the best-paid page first
// source: [000.order] [000.evaluate]
MATCH (page:PageNeuron:Rewarded)
WHERE NOT page:Seed
WITH page ORDER BY page.baseReward DESC, page.url LIMIT $limit
CALL (page) {
  MATCH way = shortestPath((seed:PageNeuron:Seed)-[:LINK_AXON*1..12]->(page))
  RETURN way ORDER BY length(way) LIMIT 1
}
RETURN way
ORDER BY page.baseReward DESC, page.url LIMIT $limit
