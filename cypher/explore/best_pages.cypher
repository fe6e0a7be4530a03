// Best pages: the highest reward, and what earned it
// mode: read
// params: $limit INTEGER pages = 25
// returns: reward, per strength (order without the pull of hubs), grants, url, title
// source: [000.distribute]
MATCH (p:PageNeuron:Fetched)
WHERE p.reward IS NOT NULL
RETURN p.reward AS reward,
       CASE WHEN p.strength > 0 THEN p.reward / p.strength END AS rewardPerStrength,
       coalesce(p.grants, []) AS grants, p.url AS url, p.title AS title
ORDER BY reward DESC, url LIMIT $limit
