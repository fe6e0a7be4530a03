// Orphaned pages: nothing links to them and they are no seeds, such as those of sitemaps
// mode: read
// params: $limit INTEGER pages = 100
// returns: the page, its state, where it leads; the best-paid first
// source: [000.graph]
MATCH (page:PageNeuron)
WHERE NOT page:Seed AND NOT page:Pruned AND NOT page:Alias
  AND coalesce(page.inLinks, 0) = 0 AND NOT EXISTS { (page)<-[:LINK_AXON|REDIRECTS_TO]-() }
RETURN page, page.url AS url, coalesce(page.reason,
         CASE WHEN page:Fetched THEN 'fetched' WHEN page:Frontier THEN 'waits' ELSE '' END) AS state,
       COUNT { (page)-[:LINK_AXON]->() } AS outLinks
ORDER BY page.reward DESC, url LIMIT $limit
