// How much reward there is
// mode: read
// params: none
// returns: total and greatest reward, total granted by rules and seeds, distribution runs so far, mode (null before the first crawl)
// source: [000.evaluate] [000.distribute]
MATCH (p:PageNeuron)
WITH sum(p.reward) AS total, max(p.reward) AS greatest, sum(p.baseReward) AS granted
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN total, greatest, granted, coalesce(max(m.distributions), 0) AS distributions, head(collect(m.rewardMode)) AS mode
