// Main texts of pages that pass a filter, and why some are left out, for a corpus
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $reserved BOOLEAN also of pages whose owners reserve data mining or AI training = false
//         $nowMs INTEGER milliseconds since 1970; null: the server's time = null
// returns: id, url, title, language, date in milliseconds since 1970, score, text; leftOut: why its text is not given
// source: [003.index]; TDMRep; RFC 9309
MATCH (n:PageNeuron)-[:HAS_TEXT]->(t:PageText)
WHERE
  // include: look/passes.part
WITH n, t, CASE
  WHEN n:Alias THEN 'alias'
  WHEN any(wish IN coalesce(n.wishes, []) WHERE wish IN ['noindex', 'noarchive', 'nosnippet'])
    OR n.unavailableAfter.epochMillis <= coalesce($nowMs, timestamp()) THEN 'wished'
  WHEN n.reserved IS NOT NULL AND NOT $reserved THEN 'reserved'
  WHEN trim(coalesce(t.text, '')) = '' THEN 'empty'
END AS leftOut
RETURN toString(n.neuronId) AS id, n.url AS url, coalesce(t.title, n.title) AS title, n.language AS language,
       n.fetchedAt.epochMillis AS date, n.worth AS score, CASE WHEN leftOut IS NULL THEN t.text END AS text, leftOut
