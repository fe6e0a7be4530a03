// Pages that were never asked for: a crawl was too narrow for them, or robots.txt closed them
// mode: read
// params: $private BOOLEAN also those that lie on private addresses
//         $contact BOOLEAN also those on public hosts, for which there was no contact
// returns: url, host, depth, reason; requests to its host so far
// source: scope rules of the crawl
MATCH (p:Excluded)
WHERE p:PageNeuron AND (p.reason IN ['scope', 'filter', 'depth', 'host-limit', 'robots'] OR $private AND p.reason = 'address'
  OR $contact AND p.reason = 'contact') AND NOT p:Pruned
OPTIONAL MATCH (h:Host {name: p.host})
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.reason AS reason, coalesce(h.requests, 0) AS requests
