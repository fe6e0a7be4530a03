// Give waiting pages cues that were made of the anchors in the graph
// mode: write
// params: $pages LIST<MAP> url, cues
// returns: nothing
// source: design of the graph
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url})
SET p.cues = coalesce(p.cues, row.cues)
