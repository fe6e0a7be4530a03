// Spread the flow of neurons that get more axons than they had over the new ones, before these are made
// mode: write
// params: $sources LIST<MAP> url, weight of all its new axons
// returns: nothing
// source: design of the reward
UNWIND $sources AS row
MATCH (p:PageNeuron {url: row.url})
WITH row, p, coalesce(p.strength, 0.0) AS strength WHERE row.weight > strength
WITH p, coalesce(p.flowRate, 0.0) AS old, p.reward / (strength + row.weight) AS rate
SET p.flowRate = rate
WITH collect([p, rate - old]) AS changed
UNWIND changed AS each
WITH each[0] AS p, each[1] AS more
MATCH (p)-[a:LINK_AXON]-(q)
WITH q, sum(more * a.weight) AS more
SET q:Touched, q.inflow = q.inflow + more                     // one that is not known stays so
