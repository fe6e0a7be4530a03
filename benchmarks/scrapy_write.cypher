UNWIND $pages AS page
MERGE (p:Page {url: page.url})
SET p.title = page.title, p.fetchedAt = datetime()
WITH p, page
UNWIND page.links AS link
MERGE (q:Page {url: link.url})
MERGE (p)-[l:LINKS_TO]->(q)
SET l.anchor = link.anchor
