// Pages that pass a filter, one by one, for a file
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
// returns: the columns of `export pages`; times in milliseconds since 1970
// source: design of the command line
MATCH (n:PageNeuron)
WHERE
  // include: look/passes.part
RETURN toString(n.neuronId) AS id, n.url AS url, n.host AS host,
       CASE WHEN n:Pruned THEN 'pruned'
            WHEN n:Leased THEN 'leased'
            WHEN n:Frontier THEN 'frontier'
            WHEN n:Fetched THEN 'fetched'
            WHEN n:Failed THEN 'failed'
            WHEN n:Excluded THEN 'excluded' END AS state,
       n.reason AS reason, n.error AS error, n.title AS title, n.language AS language,
       n.status AS status, n.contentType AS content_type, n.bytes AS bytes, n.depth AS depth,
       n.reward AS reward, n.baseReward AS base_reward, n.worth AS worth, n.priority AS priority,
       n.inLinks AS in_links, n.outLinks AS out_links, n.strength AS strength, coalesce(n.grants, []) AS grants,
       coalesce(n.wishes, []) AS wishes, n.reserved IS NOT NULL AS reserved,
       n:Seed AS seed, n:JobFeed AS feed, n.aliasOf AS alias_of, n.digest AS digest,
       n.discoveredAt.epochMillis AS discovered_at, n.fetchedAt.epochMillis AS fetched_at
