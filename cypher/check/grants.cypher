// Pages that were granted something twice, or whose grants do not sum up
// mode: read
// params: $limit INTEGER rows = 1000
// returns: what (URL), why
// source: [000.evaluate]
MATCH (p:PageNeuron) WHERE p.grants IS NOT NULL
WITH p, reduce(s = 0.0, g IN p.grants | s + toFloat(split(g, ' ')[0])) AS granted,
     [i IN range(0, size(p.grants) - 1)
      WHERE substring(p.grants[i], size(split(p.grants[i], ' ')[0])) IN [g IN p.grants[..i] | substring(g, size(split(g, ' ')[0]))]
      | p.grants[i]] AS doubled
WHERE size(doubled) > 0 OR abs(coalesce(p.baseReward, 0.0) - granted) > 1e-3 * (1.0 + abs(granted))
RETURN p.url AS what,
       CASE WHEN size(doubled) > 0 THEN 'granted twice: ' + doubled[0]
            ELSE 'granted ' + toString(granted) + ', but its sum says ' + toString(p.baseReward) END AS why
LIMIT $limit
