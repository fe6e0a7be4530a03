// Which order the pages of this graph wait by
// mode: read
// params: none
// returns: order
// source: [000.order]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN coalesce(head(collect(m.order)), 'reward') AS order
