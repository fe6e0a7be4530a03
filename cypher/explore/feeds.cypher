// Job feeds and the pages that link to them
// mode: read
// params: $limit INTEGER axons = 200
// returns: paths (page)→(feed), the best-paid page first
// source: [000.evaluate]
MATCH link = (page:PageNeuron)-[:LINK_AXON]->(feed:PageNeuron:JobFeed)
RETURN link
ORDER BY feed.feedJobs DESC, page.reward DESC LIMIT $limit
