// Pages that are in two states at once, or in none
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why (its labels)
// source: design of the graph
MATCH (p:PageNeuron)
WITH p, size([l IN labels(p) WHERE l IN ['Fetched', 'Failed', 'Excluded', 'Pruned']]) AS contents,
     size([l IN labels(p) WHERE l IN ['Frontier', 'Leased', 'Pruned']]) AS turns
WHERE contents > 1 OR turns > 1 OR contents + turns = 0
RETURN p.url AS what, 'labels ' + reduce(s = '', l IN labels(p) | s + ':' + l) AS why LIMIT $limit
