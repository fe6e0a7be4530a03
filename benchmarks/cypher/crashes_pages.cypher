// What became of each page
// mode: read
// params: none
// returns: url, states, reason, grants, feed (digest), fetched whether it has ever been
// source: a benchmark
MATCH (p:PageNeuron)
OPTIONAL MATCH (f:PageNeuron {url: p.feedUrl})
RETURN p.url AS url, [l IN labels(p) WHERE l IN ['Fetched', 'Failed', 'Excluded', 'Frontier', 'Leased', 'Pruned', 'Alias']] AS states,
       p.reason AS reason, coalesce(p.grants, []) AS grants, f.digest AS feed, p.fetchedAt IS NOT NULL AS fetched, p.reward AS reward
