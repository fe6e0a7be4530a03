// How reward is distributed over the pages that pass a filter, in logarithmic bins
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
//         $perDecade INTEGER bins for each power of ten
// returns: bin (of pages with reward above 0: reward from 10^(bin / perDecade) to the next; null: no reward), state, pages, reward
// source: [000.evaluate]
MATCH (n:PageNeuron) WHERE NOT n:Pruned AND
  // include: look/passes.part
WITH CASE WHEN n.reward > 0 THEN toInteger(floor(log10(n.reward) * $perDecade)) END AS bin, n,
     CASE WHEN n:JobFeed THEN 'feed' WHEN n:Fetched THEN 'fetched' WHEN n:Frontier OR n:Leased THEN 'waiting' ELSE 'other' END AS state
RETURN bin, state, count(n) AS pages, coalesce(sum(n.reward), 0.0) AS reward
ORDER BY bin, state
