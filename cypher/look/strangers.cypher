// How many nodes are not graphcrawl's by their labels, from the count store
// mode: read
// params: none
// returns: strangers, nodes without any label that names a kind of ours
// source: design of the graph
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH (:PageNeuron) RETURN count(*) AS pages }
CALL () { MATCH (:PageText) RETURN count(*) AS texts }
CALL () { MATCH (:Host) RETURN count(*) AS hosts }
CALL () { MATCH (:Origin) RETURN count(*) AS origins }
CALL () { MATCH (:Crawl) RETURN count(*) AS crawls }
CALL () { MATCH (:Job) RETURN count(*) AS jobs }
CALL () { MATCH (:Forgotten) RETURN count(*) AS forgotten }
CALL () { MATCH (:Model) RETURN count(*) AS models }
CALL () { MATCH (:Meta) RETURN count(*) AS metas }
CALL () { MATCH (:WriteGate) RETURN count(*) AS gates }
RETURN nodes - pages - texts - hosts - origins - crawls - jobs - forgotten - models - metas - gates AS strangers
