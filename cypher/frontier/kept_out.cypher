// Pages that were never asked for because a crawl was too narrow for them
// mode: read
// params: $private BOOLEAN also those that lie on private addresses
//         $contact BOOLEAN also those on public hosts, for which there was no contact
// returns: url, depth
// source: scope rules of the crawl
MATCH (p:Excluded)
WHERE (p.reason IN ['scope', 'filter', 'depth'] OR $private AND p.reason = 'address'
  OR $contact AND p.reason = 'contact') AND NOT p:Pruned
RETURN p.url AS url, p.depth AS depth
