// Nodes that bear a label of ours and not what tells one of ours apart
// mode: read
// params: none
// returns: label, nodes
// source: design of the graph
CALL () { MATCH (n:Host) WHERE n.name IS NULL RETURN 'Host' AS label, count(n) AS nodes
  UNION ALL MATCH (n:Job) WHERE n.key IS NULL RETURN 'Job' AS label, count(n) AS nodes
  UNION ALL MATCH (n:Origin) WHERE n.key IS NULL RETURN 'Origin' AS label, count(n) AS nodes
  UNION ALL MATCH (n:Crawl) WHERE n.id IS NULL RETURN 'Crawl' AS label, count(n) AS nodes
  UNION ALL MATCH (n:Model) WHERE n.name IS NULL RETURN 'Model' AS label, count(n) AS nodes
  UNION ALL MATCH (n:Meta) WHERE n.graph IS NULL RETURN 'Meta' AS label, count(n) AS nodes }
WITH label, nodes WHERE nodes > 0
RETURN label, nodes
