// All pages with all that they have, for a copy of the graph
// mode: read
// params: none
// returns: labels, properties, text (properties of its PageText, or null), in the order of the store
// source: design of the graph
MATCH (p:PageNeuron)
RETURN labels(p) AS labels, properties(p) AS properties,
       head(COLLECT { MATCH (p)-[:HAS_TEXT]->(t:PageText) RETURN properties(t) }) AS text
