// The pages nearest to a seed that lead to a page: by a link, or by a redirect or canonical name that it stands for
// mode: read
// params: $url STRING canonical URL of the page
//         $limit INTEGER pages that link there = 20
// returns: url, depth, title, seed, kind (link or redirect), anchor, position, alias: URL of the alias that the link names
// source: [000.graph] [002.seeds]
MATCH (p:PageNeuron {url: $url})
CALL (p) {
  MATCH (q:PageNeuron)-[a:LINK_AXON|ALIAS_AXON]->(p)
  WITH p, q, a ORDER BY coalesce(q.depth, 2147483647), a.firstSeenAt, q.url LIMIT $limit
  RETURN q, 'link' AS kind, a.anchor AS anchor, a.position AS position,
         CASE WHEN a:LINK_AXON AND a.links = 0
              THEN head(COLLECT { MATCH (q)-[:ALIAS_AXON]->(x:Alias) WHERE x.aliasOf = p.url RETURN x.url ORDER BY x.url LIMIT 1 })
         END AS alias
  UNION ALL
  MATCH (q:PageNeuron)-[:REDIRECTS_TO]->(p)
  WITH q ORDER BY coalesce(q.depth, 2147483647), q.url LIMIT $limit
  RETURN q, 'redirect' AS kind, null AS anchor, null AS position, null AS alias
}
RETURN q.url AS url, q.depth AS depth, q.title AS title, q:Seed AS seed, kind, anchor, position, alias
ORDER BY coalesce(depth, 2147483647), kind, url
