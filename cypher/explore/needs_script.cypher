// Script needed: hosts with pages that are empty without scripts
// mode: read
// params: $limit INTEGER hosts = 25
// returns: host, pages that need scripts, URL of one
// source: design of the graph
MATCH (p:NeedsScript) USING INDEX p:NeedsScript(host) WHERE p.host > ''
WITH p.host AS host, count(p) AS pages, min(p.url) AS example
ORDER BY pages DESC, host LIMIT $limit
RETURN host, pages, example
