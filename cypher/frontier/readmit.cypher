// Let pages wait again that a narrower crawl or a stricter robots.txt kept out
// mode: write
// params: $urls LIST<STRING> canonical URLs
//         $feedHintPoints FLOAT points of a page that surely is a job feed = 100.0
// returns: pages, how many wait now
// source: [000.order]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
SET p:PageNeuron
WITH p WHERE p:Excluded AND p.reason IN ['scope', 'filter', 'depth', 'address', 'robots', 'host-limit', 'contact']
REMOVE p:Excluded
SET p:Frontier, p.reason = null, p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0))
MERGE (:Host {name: p.host})
RETURN count(p) AS pages
