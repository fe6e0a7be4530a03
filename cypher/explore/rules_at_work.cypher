// Rules at work: which paid how much, and where it matched
// mode: read
// params: $limit INTEGER rules = 100
// returns: rule, pages it paid, points in all, and the places, most frequent first
// source: [000.evaluate]
MATCH (p:PageNeuron:Rewarded)
UNWIND p.grants AS grant
WITH p, split(grant, ' ') AS part
WITH part[1] AS rule, toFloat(part[0]) AS points, p,
     CASE WHEN part[1] STARTS WITH 'feed-' THEN 'feed' ELSE part[2] END AS place
WITH rule, place, count(p) AS pages, sum(points) AS points
ORDER BY pages DESC
RETURN rule, sum(pages) AS pages, sum(points) AS points, collect(place) AS places
ORDER BY points DESC, rule LIMIT $limit
