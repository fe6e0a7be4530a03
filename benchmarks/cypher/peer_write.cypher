// Write pages and their links as a crawler without our graph would
// mode: write
// params: $pages LIST<MAP> url, title, links
// returns: nothing
// source: a benchmark
UNWIND $pages AS page
MERGE (p:Page {url: page.url})
SET p.title = page.title, p.fetchedAt = datetime()
WITH p, page
UNWIND page.links AS link
MERGE (q:Page {url: link.url})
MERGE (p)-[l:LINKS_TO]->(q)
SET l.anchor = link.anchor
