// All that is neither a page nor its text, for a copy of the graph
// mode: read
// params: none
// returns: labels, properties, in the order of the store
// source: design of the graph
MATCH (n) WHERE NOT n:PageNeuron AND NOT n:PageText
RETURN labels(n) AS labels, properties(n) AS properties
