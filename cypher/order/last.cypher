// The settings of the run that was started last
// mode: read
// params: none
// returns: settings as JSON
// source: design of the graph
MATCH (c:Crawl)
RETURN c.settings AS settings
ORDER BY c.startedAt DESC LIMIT 1
