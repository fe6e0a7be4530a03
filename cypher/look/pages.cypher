// Pages that pass a filter, best first
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $sort STRING property to sort by; pages without it come last = "reward"
//         $descending BOOLEAN greatest first = true
//         $limit INTEGER pages = 25
// returns: one row a page; state is its labels in one word
// source: design of the command line
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
WITH n
ORDER BY n[$sort] IS NULL,
         CASE WHEN $descending THEN n[$sort] END DESC,
         CASE WHEN NOT $descending THEN n[$sort] END,
         n.url
LIMIT $limit
RETURN n.url AS url, n.host AS host,
       CASE WHEN n:Pruned THEN 'pruned'
            WHEN n:Leased THEN 'leased'
            WHEN n:Frontier THEN 'frontier'
            WHEN n:Fetched THEN 'fetched'
            WHEN n:Failed THEN 'failed'
            WHEN n:Excluded THEN 'excluded' END AS state,
       n.reason AS reason, n.error AS error, n.title AS title, n.language AS language,
       n.status AS status, n.contentType AS contentType, n.bytes AS bytes, n.depth AS depth,
       n.reward AS reward, n.baseReward AS baseReward, n.priority AS priority,
       n.inLinks AS inLinks, n.strength AS strength, coalesce(n.grants, []) AS grants,
       coalesce(n.wishes, []) AS wishes, n.reserved IS NOT NULL AS reserved,
       n:Seed AS seed, n:JobFeed AS feed,
       n.discoveredAt AS discoveredAt, n.fetchedAt AS fetchedAt
