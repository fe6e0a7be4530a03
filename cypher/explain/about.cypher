// How this graph is crawled: which order its pages wait by, and how reward flows
// mode: read
// params: none
// returns: order, rewardMode
// source: [000.order] [000.distribute]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH head(collect(m)) AS m
RETURN coalesce(m.order, 'reward') AS order, coalesce(m.rewardMode, 'neural') AS rewardMode
