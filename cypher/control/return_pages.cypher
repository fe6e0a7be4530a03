// Give back what a worker took of a common budget and has not asked for
// mode: write
// params: $of STRING id of the crawl whose budget it is
//         $id STRING of the worker's own run
//         $asked INTEGER pages that it asked for; null: those that are recorded, since it died = null
// returns: pages given back
// source: design of the command line
MATCH (c:Crawl {id: $of})
SET c:Crawl
WITH c
MATCH (w:Crawl {id: $id}) WHERE w.pagesOwn IS NOT NULL
WITH c, w, w.pagesOwn - coalesce($asked, w.fetched + w.redirected + w.failed + w.putOff) AS left
WITH c, w, CASE WHEN left < 0 THEN 0 ELSE left END AS pages
SET c.pagesTaken = c.pagesTaken - pages
REMOVE w.pagesOwn
RETURN pages
