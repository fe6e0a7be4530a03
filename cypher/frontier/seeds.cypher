// Every page that a crawl started from
// mode: read
// params: none
// returns: url
// source: [002.seeds]
MATCH (p:Seed) WHERE p:PageNeuron RETURN p.url AS url ORDER BY p.discoveredAt, p.url
