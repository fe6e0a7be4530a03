// Who feeds this feed: the pages that link to it, and those that link to them
// mode: read
// params: $url STRING the feed's URL; empty: the one with the most jobs = ""
//         $limit INTEGER ways = 100
// returns: paths (page)→(page)→(feed), or (page)→(feed) where nothing else leads there
// source: [000.evaluate] [000.distribute]
CALL () {
  MATCH (feed:PageNeuron {url: $url}) RETURN feed
  UNION
  MATCH (feed:PageNeuron:JobFeed)
  WHERE $url = ''
  RETURN feed ORDER BY feed.feedJobs DESC, feed.url LIMIT 1
}
MATCH (page:PageNeuron)-[:LINK_AXON]->(feed)
WITH feed, page ORDER BY page.reward DESC, page.url LIMIT 20
CALL (feed, page) {
  MATCH way = (before:PageNeuron)-[:LINK_AXON]->(page)-[:LINK_AXON]->(feed)
  WHERE before <> feed
  RETURN way ORDER BY before.reward DESC, before.url LIMIT 8
  UNION
  MATCH way = (page)-[:LINK_AXON]->(feed)
  RETURN way
}
RETURN way
ORDER BY length(way) DESC, page.reward DESC, page.url LIMIT $limit
