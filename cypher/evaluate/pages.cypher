// Fetched pages that pass a filter, a stretch at a time in the order of their URLs
// mode: read
// params: $after STRING URL that the stretch before ended with; "" begins
//         $terms LIST<MAP> {op, property, value}; all must hold; as for look/pages = []
//         $limit INTEGER pages a stretch = 1000
// returns: url, bytes of the body
// source: [000.process]
MATCH (p:PageNeuron) USING INDEX p:PageNeuron(url)
WHERE p.url > $after AND p:Fetched
  AND all(t IN $terms WHERE
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
RETURN p.url AS url, coalesce(p.bytes, 0) AS bytes
ORDER BY p.url LIMIT $limit
