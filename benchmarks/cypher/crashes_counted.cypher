// What all runs have counted
// mode: read
// params: none
// returns: fetched
// source: a benchmark
MATCH (c:Crawl)
RETURN coalesce(sum(c.fetched), 0) AS fetched
