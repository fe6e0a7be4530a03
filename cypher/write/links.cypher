// Create the neurons that accepted pages link to, and the axons between them
// mode: write
// params: $sources LIST<STRING> URLs of the pages
//         $targets LIST<MAP> url, id, host, depth, redirects, reward to be born with, worth that would revive it, reason not to wait or null, feedHint, weight of all its axons, axons: source (its place in $sources), weight, links, anchor, anchors, rel, position, raw; number among these; score to wait by or null; where $facts: parentBest, parentSum, parentCount, cash, topicHint, cues
//         $bornAt INTEGER reward distributions so far
//         $discovered INTEGER pages discovered before
//         $facts BOOLEAN whether to keep what the pages that link there say of a page = false
//         $ranked BOOLEAN whether cash is a rank, and not handed on = false
//         $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: born and pruned targets' URLs, hosts whose best priority may have changed, feeds: url and feedUrl of targets
//          that lead to a feed, aliases: URLs of targets that another page stands for; in one row
// source: [000.graph] [000.newborn]
UNWIND $sources AS url
MATCH (s:PageNeuron {url: url})
WITH collect(s) AS sources                                           // may be none: the row stays
WITH sources, datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
UNWIND $targets AS row
MERGE (t:PageNeuron {url: row.url})
WITH sources, now, row, t,                                           // neither new neurons nor tombstones have a reward
     t.reward IS NULL AND (NOT t:Pruned OR t.fetchedAt IS NULL AND row.worth >= t.prunedBelow) AS born
FOREACH (_ IN CASE WHEN born THEN [1] ELSE [] END |
  REMOVE t:Pruned, t.prunedAt, t.prunedBelow
  SET t.neuronId = row.id, t.host = row.host, t.reward = row.reward, t.baseReward = 0.0, t.grants = [],
      t.depth = row.depth, t.redirects = row.redirects, t.discoveredAt = now, t.bornAt = $bornAt,
      t.strength = 0.0, t.inLinks = 0, t.number = $discovered + row.number
  FOREACH (reason IN CASE WHEN row.reason IS NULL THEN [] ELSE [row.reason] END | SET t:Excluded, t.reason = reason))
WITH sources, row, t, born, t:Pruned AS pruned, CASE WHEN born THEN row.reward ELSE t.reward END AS reward,
     CASE WHEN row.feedHint > coalesce(t.feedHint, 0.0) THEN row.feedHint ELSE t.feedHint END AS feedHint,
     row.reason IS NULL AND (born OR t:Excluded AND t.status IS NULL
       AND t.reason IN ['scope', 'filter', 'depth', 'trap', 'type']) AS admitted,
     t:Frontier AND t.readyAt IS NULL AND row.feedHint > coalesce(t.feedHint, 0.0) AS likelier
FOREACH (_ IN CASE WHEN admitted OR likelier THEN [1] ELSE [] END |
  REMOVE t:Excluded, t.reason
  SET t:Frontier, t.feedHint = feedHint, t.score = CASE WHEN admitted THEN row.score ELSE t.score END,
      t.priority = coalesce(CASE WHEN admitted THEN row.score ELSE t.score END, reward + $feedHintPoints * coalesce(feedHint, 0.0)))
FOREACH (_ IN CASE WHEN $facts AND NOT pruned AND t.status IS NULL THEN [1] ELSE [] END |
  SET t.parentBest = CASE WHEN row.parentBest > coalesce(t.parentBest, 0.0) THEN row.parentBest ELSE t.parentBest END,
      t.parentSum = coalesce(t.parentSum, 0.0) + row.parentSum, t.parentCount = coalesce(t.parentCount, 0) + row.parentCount,
      t.topicHint = CASE WHEN row.topicHint > coalesce(t.topicHint, 0.0) THEN row.topicHint ELSE t.topicHint END)
FOREACH (_ IN CASE WHEN $facts AND NOT pruned AND t.status IS NULL AND size(row.cues) > 0 AND coalesce(size(t.cues), 0) < 24 THEN [1] ELSE [] END |
  SET t.cues = (coalesce(t.cues, []) + [c IN row.cues WHERE NOT c IN coalesce(t.cues, [])])[..24])
FOREACH (_ IN CASE WHEN $facts AND NOT pruned AND (born OR NOT $ranked) THEN [1] ELSE [] END |
  SET t.cash = coalesce(t.cash, 0.0) + row.cash)
FOREACH (_ IN CASE WHEN NOT pruned AND row.depth < t.depth THEN [1] ELSE [] END | SET t.depth = row.depth)
FOREACH (_ IN CASE WHEN pruned THEN [] ELSE [1] END |
  SET t.strength = t.strength + row.weight, t.inLinks = t.inLinks + size(row.axons)
  FOREACH (axon IN row.axons |
    FOREACH (s IN [sources[axon.source]] |
      CREATE (s)-[:LINK_AXON {weight: axon.weight, links: axon.links, anchor: axon.anchor, anchors: axon.anchors,
                              rel: axon.rel, position: axon.position, raw: axon.raw,
                              firstSeenAt: s.fetchedAt, lastSeenAt: s.fetchedAt}]->(t))))
RETURN collect(CASE WHEN born THEN t.url END) AS born, collect(CASE WHEN pruned THEN t.url END) AS pruned,
       collect(DISTINCT CASE WHEN admitted OR likelier THEN t.host END) AS hosts,
       collect(CASE WHEN t.feedUrl IS NOT NULL THEN {url: t.url, feedUrl: t.feedUrl} END) AS feeds,
       collect(CASE WHEN t.aliasOf IS NOT NULL AND size(row.axons) > 0 THEN t.url END) AS aliases
