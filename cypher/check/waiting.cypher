// Waiting pages that no claim would ever find
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why
// source: design of the graph
MATCH (p:Frontier) WHERE p:PageNeuron
WITH p, p.priority IS NULL AND p.readyAt IS NULL AS stuck, NOT EXISTS { MATCH (:Host {name: p.host}) } AS homeless
WHERE stuck OR homeless
RETURN p.url AS what, CASE WHEN homeless THEN 'its host is not known' ELSE 'waits without a priority' END AS why LIMIT $limit
