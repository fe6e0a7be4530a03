// Add the weights of their new axons to pages' strengths
// mode: write
// params: $sources LIST<MAP> url, weight
// returns: nothing
// source: [000.graph]
UNWIND $sources AS row
MATCH (s:PageNeuron {url: row.url})
SET s.strength = s.strength + row.weight
