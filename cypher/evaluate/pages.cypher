// Fetched pages that pass a filter, a stretch at a time in the order of their URLs
// mode: read
// params: $after STRING URL that the stretch before ended with; "" begins
//         $terms LIST<MAP> {op, property, value}; all must hold; as for look/pages = []
//         $limit INTEGER pages a stretch = 1000
// returns: url, bytes of the body
// source: [000.process]
MATCH (n:PageNeuron) USING INDEX n:PageNeuron(url)
WHERE n.url > $after AND n:Fetched
  AND
  // include: look/passes.part
RETURN n.url AS url, coalesce(n.bytes, 0) AS bytes
ORDER BY n.url LIMIT $limit
