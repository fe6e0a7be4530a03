// The runs of crawls, the last one first
// mode: read
// params: $limit INTEGER runs
// returns: one row a run
// source: design of the graph
MATCH (c:Crawl) WHERE c.id IS NOT NULL
WITH c ORDER BY c.startedAt DESC, c.id LIMIT $limit
RETURN c.id AS id, c.startedAt AS startedAt, c.finishedAt AS finishedAt, c.stopReason AS stopReason,
       coalesce(c.order, 'reward') AS order, coalesce(c.rewardMode, 'neural') AS rewardMode, c.fetched AS fetched, c.failed AS failed,
       c.excluded AS excluded, c.redirected AS redirected, c.neurons AS neurons, c.axons AS axons,
       c.feeds AS feeds, c.granted AS granted, c.paid AS paid, c.minted AS minted
