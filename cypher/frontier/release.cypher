// Give back pages that were not asked for
// mode: write
// params: $pages LIST<MAP> url and token of each
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
// returns: nothing
// source: design of the graph
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url}) SET p:PageNeuron
WITH p, row WHERE p:Leased AND p.token = row.token
REMOVE p:Leased, p.leasedBy, p.leasedUntil, p.token
SET p:Frontier, p.priority = coalesce(p.score, p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0))
