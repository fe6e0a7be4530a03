// Delete what was written to overwrite deleted records
// mode: write
// params: none
// returns: nothing
// source: operation of Neo4j
MATCH (n:Forgotten) WHERE n.key STARTS WITH 'fill '
DELETE n
