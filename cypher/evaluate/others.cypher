// Which other rules the graph was paid by since it was judged as a whole
// mode: read
// params: $digest STRING of the rules that are to go on
// returns: evaluated (name of the other rules that the graph was judged by, or null), settings (JSON) of the last run
//          that granted by others, or null, running whether pages are being fetched now; in one row
// source: [000.process]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH max(m.evaluatedAt) AS evaluatedAt, max(m.rulesDigest) AS digest, max(m.rulesName) AS name
OPTIONAL MATCH (c:Crawl) USING INDEX c:Crawl(id)
WHERE c.id >= '' AND c.fetched > 0 AND c.rulesDigest <> $digest
  AND coalesce(coalesce(c.finishedAt, c.startedAt) > evaluatedAt, true)
WITH digest, name, c ORDER BY c.startedAt DESC
WITH digest, name, head(collect(c.settings)) AS settings
RETURN CASE WHEN digest <> $digest THEN name END AS evaluated, settings,
       EXISTS { MATCH (p:Leased) WHERE p.leasedUntil > datetime() } AS running
