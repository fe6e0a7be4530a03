// Which order the pages of this graph wait by, and how many were discovered
// mode: read
// params: none
// returns: order, discovered
// source: [000.order]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
WITH coalesce(head(collect(m.order)), 'reward') AS order
OPTIONAL MATCH (gate:WriteGate {name: 'record'})
RETURN order, coalesce(gate.discovered, 1) AS discovered
