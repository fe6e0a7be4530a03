// Give pages their label back that somebody took away
// mode: write
// params: none
// returns: url of each
// source: design of the graph
MATCH (p:Frontier|Leased|Fetched|Failed|Excluded|Pruned)
WHERE NOT p:PageNeuron AND p.url IS NOT NULL AND p.neuronId IS NOT NULL AND p.host IS NOT NULL
  AND NOT EXISTS { MATCH (q:PageNeuron {url: p.url}) }
SET p:PageNeuron
RETURN p.url AS url
