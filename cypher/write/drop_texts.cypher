// Drop the texts of pages whose owner does not want them kept
// mode: write
// params: $urls LIST<STRING> canonical URLs
// returns: nothing
// source: [002.robots]
UNWIND $urls AS url
MATCH (:PageNeuron {url: url})-[:HAS_TEXT]->(x:PageText)
DETACH DELETE x
