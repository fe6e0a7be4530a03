// Take a part of the pages that several workers may ask for together
// mode: write
// params: $of STRING id of the crawl whose budget it is
//         $id STRING of the worker's own run
//         $pages INTEGER wanted at least
//         $ahead INTEGER taken at once while there are many left = 32
// returns: pages that it may ask for
// source: design of the command line
MATCH (c:Crawl {id: $of})
SET c:Crawl                                                          // lock, then look
WITH c, c.maxPages - coalesce(c.pagesTaken, 0) AS left
WITH c, CASE WHEN left / 4 > $ahead AND $pages < $ahead THEN $ahead WHEN left < $pages THEN left ELSE $pages END AS pages
WITH c, CASE WHEN pages < 0 THEN 0 ELSE pages END AS pages
SET c.pagesTaken = coalesce(c.pagesTaken, 0) + pages
WITH pages
MATCH (w:Crawl {id: $id})
SET w.pagesOwn = coalesce(w.pagesOwn, 0) + pages
RETURN pages
