// Refresh the axons that a page visited again still has
// mode: write
// params: $axons LIST<MAP> source and target URLs, weight, links, anchor, anchors, rel, position, raw
// returns: source and target of each that exists
// source: [000.graph]
UNWIND $axons AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:PageNeuron {url: row.target})
MATCH (s)-[a:LINK_AXON]->(t)
SET s.strength = s.strength + row.weight - a.weight, t.strength = t.strength + row.weight - a.weight,
    a.weight = row.weight, a.links = row.links, a.anchor = row.anchor, a.anchors = row.anchors, a.rel = row.rel,
    a.position = row.position, a.raw = row.raw, a.lastSeenAt = s.fetchedAt
RETURN row.source AS source, row.target AS target
