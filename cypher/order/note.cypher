// Note which order the pages of this graph wait by
// mode: write
// params: $order STRING its name
// returns: nothing
// source: [000.order]
MATCH (m:Meta)
SET m.order = $order
