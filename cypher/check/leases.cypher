// Leases without an owner, an end or a token, and what is left of leases that have ended
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why
// source: design of the graph
MATCH (p:PageNeuron)
WHERE p:Leased AND (p.leasedBy IS NULL OR p.leasedUntil IS NULL OR p.token IS NULL)
   OR NOT p:Leased AND (p.leasedBy IS NOT NULL OR p.leasedUntil IS NOT NULL OR p.token IS NOT NULL)
RETURN p.url AS what, CASE WHEN p:Leased THEN 'leased, but by nobody or for ever' ELSE 'not leased, but has the marks of a lease' END AS why
LIMIT $limit
