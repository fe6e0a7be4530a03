// Ways to the feeds: the shortest from a seed to each
// mode: read
// params: $limit INTEGER feeds = 25
// returns: paths (seed)→…→(feed), at most 12 links long
// source: [000.order] [000.evaluate]
MATCH (feed:PageNeuron:JobFeed)
WHERE NOT feed:Seed
WITH feed ORDER BY feed.feedJobs DESC LIMIT $limit
CALL (feed) {
  MATCH way = shortestPath((seed:PageNeuron:Seed)-[:LINK_AXON*1..12]->(feed))
  RETURN way ORDER BY length(way) LIMIT 1
}
RETURN way
