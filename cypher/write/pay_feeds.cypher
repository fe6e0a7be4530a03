// Pay the pages that link to job feeds: much to the first one ever, something to each other
// mode: write
// params: $feeds LIST<MAP> url of the feed, aliases (URLs that lead to it since now), sources (pages that link there since now)
//         $feedNew FLOAT points to the first
//         $feedKnown FLOAT points to each other
//         $grantNew STRING how the first one's grant begins, with a blank at its end
//         $grantKnown STRING how each other's grant begins
//         $grantShare FLOAT share of a grant that is reward at once, the rest is by the next distribution = 1.0
// returns: url of each paid page, points, alias whether another page stands for it
// source: [000.evaluate]
UNWIND $feeds AS row
MATCH (f:PageNeuron {url: row.url})
CALL (row) {
  UNWIND row.aliases AS alias
  MATCH (s:PageNeuron)-[a:LINK_AXON|ALIAS_AXON]->(:PageNeuron {url: alias})
  RETURN s, a.firstSeenAt AS seenAt
  UNION ALL
  UNWIND row.sources AS url
  MATCH (s:PageNeuron {url: url})
  RETURN s, s.fetchedAt AS seenAt
}
WITH f, s, min(seenAt) AS seenAt
WHERE coalesce(s.feedUrl <> f.url, true) AND none(g IN s.grants WHERE split(g, ' ')[2] = f.url)
WITH f, s ORDER BY seenAt, s.url
WITH f, collect(s) AS pages
UNWIND range(0, size(pages) - 1) AS i
WITH f, pages[i] AS s, i = 0 AND f.foundBy IS NULL AS first
WITH f, s, first, CASE WHEN first THEN $feedNew ELSE $feedKnown END AS points,
     CASE WHEN first THEN $grantNew ELSE $grantKnown END + f.url AS grant
SET s:Rewarded, s.reward = s.reward + $grantShare * points, s.baseReward = s.baseReward + points, s.grants = s.grants + grant
FOREACH (_ IN CASE WHEN first THEN [1] ELSE [] END | SET f.foundBy = s.url)
FOREACH (_ IN CASE WHEN reduce(e = 0.0, g IN s.grants | e + CASE WHEN g ENDS WITH ' seed seed' THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) >= 100
                THEN [1] ELSE [] END | SET s:RichlyRewarded)
RETURN s.url AS url, points, s:Alias AS alias
