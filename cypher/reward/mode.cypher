// How reward flows in this graph
// mode: read
// params: none
// returns: mode (neural or steady; null before the first crawl), damping of the last steady distribution or null; one row
// source: [000.distribute]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH head(collect(m)) AS m
OPTIONAL MATCH (c:Crawl) WHERE c.id IS NOT NULL
WITH m, c ORDER BY c.startedAt DESC LIMIT 1
RETURN coalesce(m.rewardMode, CASE WHEN c IS NOT NULL THEN coalesce(c.rewardMode, 'neural') END) AS mode,
       m.rewardDamping AS damping
