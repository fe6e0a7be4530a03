// Barren hosts: spend but no yield, many pages fetched and none paid
// mode: read
// params: $pages INTEGER pages that must have been fetched = 3
//         $limit INTEGER hosts = 25
// returns: host, pages fetched, bytes of them, failed, still waiting, best priority, one of its pages
// source: [000.evaluate] [000.order]
MATCH (p:PageNeuron&(Fetched|Failed))
WITH p.host AS host, count(CASE WHEN p:Fetched THEN 1 END) AS fetched,
     sum(p.bytes) AS bytes, count(CASE WHEN p:Failed THEN 1 END) AS failed,
     count(CASE WHEN p:Rewarded OR p:JobFeed THEN 1 END) AS paid, min(p.url) AS example
WHERE paid = 0 AND fetched >= $pages
WITH host, fetched, bytes, failed, example
ORDER BY fetched DESC, host LIMIT $limit
RETURN host, fetched, bytes, failed,
       COUNT { MATCH (w:PageNeuron:Frontier) WHERE w.host = host } AS waiting,
       head(COLLECT { MATCH (h:Host {name: host}) RETURN h.bestPriority }) AS bestPriority, example
ORDER BY fetched DESC, host
