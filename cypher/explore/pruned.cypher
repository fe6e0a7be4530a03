// Pruned neighbourhoods: hosts by their tombstones, and the page left that lost most links there
// mode: read
// params: $limit INTEGER hosts = 25
// returns: host, pages pruned, kept, threshold and time of the last, the page that lost most links
// source: [000.prune]
MATCH (p:PageNeuron)
WITH p.host AS host, count(CASE WHEN p:Pruned THEN 1 END) AS pruned,
     count(CASE WHEN p:Fetched THEN 1 END) AS kept, max(p.prunedBelow) AS below,
     max(p.prunedAt) AS prunedAt
WHERE pruned > 0
WITH host, pruned, kept, below, prunedAt ORDER BY pruned DESC, host LIMIT $limit
CALL (host) {
  OPTIONAL MATCH (page:PageNeuron:Fetched)
  WHERE page.host = host AND page.outLinks > COUNT { (page)-[:LINK_AXON]->() }
  WITH page, page.outLinks - COUNT { (page)-[:LINK_AXON]->() } AS lostLinks
  RETURN page, lostLinks ORDER BY lostLinks DESC, page.url LIMIT 1
}
RETURN host, pruned, kept, below, prunedAt, lostLinks, page.url AS url, page
ORDER BY pruned DESC, host
