// The settings of the run that was started last, of those that fetched something
// mode: read
// params: none
// returns: settings as JSON
// source: design of the graph
MATCH (c:Crawl) WHERE c.id IS NOT NULL AND c.fetched > 0
RETURN c.settings AS settings
ORDER BY c.startedAt DESC LIMIT 1
