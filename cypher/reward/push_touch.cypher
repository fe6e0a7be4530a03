// Let the next push look at pages that were granted something, or brought back
// mode: write
// params: $urls LIST<STRING> of the pages
// returns: nothing
// source: design of the reward
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
SET p:Touched, p.flowRate = coalesce(p.flowRate, 0.0)         // one without it would count as newborn
