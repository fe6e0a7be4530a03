// Hosts that pass a filter, with what their pages brought, for a file
// mode: read
// params: $terms LIST<MAP> {op, property, value}; all must hold; op is one of look/passes.part = []
// returns: the columns of `export hosts`; times in milliseconds since 1970
// source: design of the command line
MATCH (p:PageNeuron) WHERE NOT p:Pruned
WITH p.host AS name, count(p) AS pages, count(CASE WHEN p:Fetched THEN 1 END) AS fetched,
     count(CASE WHEN p:Frontier THEN 1 END) AS waiting, count(CASE WHEN p:Failed THEN 1 END) AS failed,
     count(CASE WHEN p:JobFeed THEN 1 END) AS feeds, sum(p.reward) AS reward, sum(p.baseReward) AS base_reward
MATCH (n:Host {name: name})
WHERE
  // include: look/passes.part
RETURN n.name AS host, pages, fetched, waiting, failed, feeds, reward, base_reward,
       coalesce(n.requests, 0) AS requests, n.delayS AS delay_s, n.latencyS AS latency_s,
       coalesce(n.failures, 0) AS failures, coalesce(n.refusals, 0) AS refusals, n.trouble AS trouble,
       n.bestPriority AS best_priority, n.nextFetchAt.epochMillis AS next_fetch_at,
       n.parkedUntil.epochMillis AS parked_until, n.blockedAt.epochMillis AS blocked_at, n.blockReason AS block_reason
