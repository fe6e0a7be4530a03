// Pages whose strength or number of links is not that of their axons
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why
// source: [000.graph]
MATCH (p:PageNeuron)
CALL (p) {
  OPTIONAL MATCH (p)-[a:LINK_AXON]-()
  RETURN coalesce(sum(a.weight), 0.0) AS strength, count(CASE WHEN endNode(a) = p THEN 1 END) AS inLinks
}
WITH p, strength, inLinks
WHERE abs(coalesce(p.strength, 0.0) - strength) > 1e-6 * (1.0 + strength) OR coalesce(p.inLinks, 0) <> inLinks
RETURN p.url AS what,
       'strength ' + toString(coalesce(p.strength, 0.0)) + ' and ' + toString(coalesce(p.inLinks, 0)) + ' links to it, but its axons say '
       + toString(strength) + ' and ' + toString(inLinks) AS why
LIMIT $limit
