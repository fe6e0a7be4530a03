// Pages that pass a filter, best first
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of those below = []
//         $sort STRING property to sort by; pages without it come last = "reward"
//         $descending BOOLEAN greatest first = true
//         $limit INTEGER pages = 25
// returns: one row a page; state is its labels in one word
// source: design of the command line
MATCH (p:PageNeuron)
WHERE all(t IN $terms WHERE
  CASE t.op
    WHEN '=' THEN p[t.property] = t.value
    WHEN '!=' THEN coalesce(p[t.property] <> t.value, true)
    WHEN '>' THEN p[t.property] > t.value
    WHEN '>=' THEN p[t.property] >= t.value
    WHEN '<' THEN p[t.property] < t.value
    WHEN '<=' THEN p[t.property] <= t.value
    WHEN '~' THEN toLower(p[t.property]) CONTAINS toLower(t.value)
    WHEN 'label' THEN t.value IN labels(p)
    WHEN 'no label' THEN NOT t.value IN labels(p)
    WHEN 'grant' THEN any(g IN p.grants WHERE split(g, ' ')[1] = t.value)
    WHEN 'no grant' THEN NOT any(g IN coalesce(p.grants, []) WHERE split(g, ' ')[1] = t.value)
    WHEN 'has' THEN t.value IN coalesce(p[t.property], [])
    WHEN 'has not' THEN NOT t.value IN coalesce(p[t.property], [])
    WHEN 'present' THEN p[t.property] IS NOT NULL
    WHEN 'absent' THEN p[t.property] IS NULL
    ELSE false
  END)
WITH p
ORDER BY p[$sort] IS NULL,
         CASE WHEN $descending THEN p[$sort] END DESC,
         CASE WHEN NOT $descending THEN p[$sort] END,
         p.url
LIMIT $limit
RETURN p.url AS url, p.host AS host,
       CASE WHEN p:Pruned THEN 'pruned'
            WHEN p:Leased THEN 'leased'
            WHEN p:Frontier THEN 'frontier'
            WHEN p:Fetched THEN 'fetched'
            WHEN p:Failed THEN 'failed'
            WHEN p:Excluded THEN 'excluded' END AS state,
       p.reason AS reason, p.error AS error, p.title AS title, p.language AS language,
       p.status AS status, p.contentType AS contentType, p.bytes AS bytes, p.depth AS depth,
       p.reward AS reward, p.baseReward AS baseReward, p.priority AS priority,
       p.inLinks AS inLinks, p.strength AS strength, coalesce(p.grants, []) AS grants,
       coalesce(p.wishes, []) AS wishes, p.reserved IS NOT NULL AS reserved,
       p:Seed AS seed, p:JobFeed AS feed,
       p.discoveredAt AS discoveredAt, p.fetchedAt AS fetchedAt
