// Refresh the axons that a page visited again still has
// mode: write
// params: $axons LIST<MAP> source and target URLs, weight, links, anchor, anchors, rel, position, raw
// returns: source and target of each that exists
// source: [000.graph]
UNWIND $axons AS row
MATCH (s:PageNeuron {url: row.source})
MATCH (t:PageNeuron {url: row.target})
MATCH (s)-[a:LINK_AXON|ALIAS_AXON]->(t)
WITH row, s, t, a, CASE WHEN a:LINK_AXON THEN row.weight - a.weight ELSE 0.0 END AS more
FOREACH (_ IN CASE WHEN more <> 0 AND (s.flowRate IS NOT NULL OR t.flowRate IS NOT NULL) THEN [1] ELSE [] END |
  SET s:Touched, t:Touched, s.inflow = s.inflow + more * coalesce(t.flowRate, 0.0), t.inflow = t.inflow + more * coalesce(s.flowRate, 0.0))
SET s.strength = s.strength + more, t.strength = t.strength + more,
    a.weight = row.weight, a.links = row.links, a.anchor = row.anchor, a.anchors = row.anchors, a.rel = row.rel,
    a.position = row.position, a.raw = row.raw, a.lastSeenAt = s.fetchedAt
RETURN row.source AS source, row.target AS target
