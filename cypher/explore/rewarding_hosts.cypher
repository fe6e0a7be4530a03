// Rewarding hosts, by what rules granted to their pages
// mode: read
// params: $limit INTEGER hosts = 25
// returns: granted (without the seeds' own reward), reward now, pages fetched, share of them that earned
// source: [000.evaluate]
MATCH (p:PageNeuron:Fetched)
WITH p, reduce(sum = 0.0, g IN coalesce(p.grants, []) |
       sum + CASE WHEN split(g, ' ')[1] = 'seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END)
     AS earned
WITH p.host AS host, sum(earned) AS granted, sum(p.reward) AS reward, count(p) AS pages,
     count(CASE WHEN earned > 0 THEN 1 END) AS earning
RETURN host, granted, reward, pages, toFloat(earning) / pages AS earningShare
ORDER BY granted DESC, host LIMIT $limit
