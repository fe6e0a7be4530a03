// All of ours that is neither a page nor its text, for a copy of the graph
// mode: read
// params: none
// returns: labels, properties, in the order of the store
// source: design of the graph
MATCH (n) WHERE NOT n:PageNeuron AND NOT n:PageText
  AND (n:Host AND n.name IS NOT NULL OR n:Origin AND n.key IS NOT NULL OR n:Crawl AND n.id IS NOT NULL OR n:Job AND n.key IS NOT NULL
    OR n:Forgotten OR n:Model AND n.name IS NOT NULL OR n:Meta AND n.graph IS NOT NULL OR n:WriteGate)
RETURN labels(n) AS labels, properties(n) AS properties
