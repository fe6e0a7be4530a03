// Note which order the pages of this graph wait by
// mode: write
// params: $order STRING its name
// returns: nothing
// source: [000.order]
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.order = $order
