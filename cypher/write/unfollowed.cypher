// Let pages wait no more that only pages led to whose links are not to be followed any more
// mode: write
// params: $urls LIST<STRING> pages that are linked to less than before
// returns: host of each that waits no more
// source: [002.robots]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
SET p:PageNeuron                                                     // lock, then look
WITH p
WHERE p:Frontier AND NOT p:Fetched AND NOT p:Seed
  AND NOT EXISTS { (p)<-[:LINK_AXON|ALIAS_AXON|REDIRECTS_TO]-() } AND NOT EXISTS { (p)-[:CANONICAL_OF]->() }
REMOVE p:Frontier, p.priority, p.readyAt
SET p:Excluded, p.reason = 'nofollow', p.error = 'nofollow: its only link is not to be followed any more'
RETURN DISTINCT p.host AS host
