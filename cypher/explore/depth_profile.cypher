// Reward by depth: how far from the seeds the good pages lie
// mode: read
// params: $limit INTEGER depths = 100
// returns: depth in links, pages, fetched, feeds, mean reward of a page
// source: [000.newborn]
MATCH (p:PageNeuron)
WHERE p.depth IS NOT NULL
RETURN p.depth AS depth, count(p) AS pages, count(CASE WHEN p:Fetched THEN 1 END) AS fetched,
       count(CASE WHEN p:JobFeed THEN 1 END) AS feeds, avg(p.reward) AS meanReward
ORDER BY depth LIMIT $limit
