// What ran last beside a run, by the run that told of it last, and what else let reward flow
// mode: read
// params: none
// returns: works as JSON or null, distributedAt and distributionS (seconds an iteration), pushedAt and pushS; one row
// source: design of the command line
OPTIONAL MATCH (c:Crawl) WHERE c.id IS NOT NULL AND c.works IS NOT NULL     // of several workers, the one in charge
WITH c ORDER BY c.beatAt DESC LIMIT 1
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH c, head(collect(m)) AS m
RETURN c.works AS works, m.distributedAt AS distributedAt, m.distributionS AS distributionS, m.pushedAt AS pushedAt, m.pushS AS pushS
