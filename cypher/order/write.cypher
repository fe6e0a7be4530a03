// Let pages wait by the scores that the graph's order gives them
// mode: write
// params: $pages LIST<MAP> url, score
// returns: nothing
// source: [000.order]
UNWIND $pages AS row
MATCH (p:PageNeuron {url: row.url})
SET p:PageNeuron                                                     // lock, then look: a claim may hold it
WITH row, p WHERE p:Frontier AND NOT p:Fetched
SET p.score = row.score, p.priority = CASE WHEN p.readyAt IS NULL THEN row.score END
