// Fetched pages as they were known when they were claimed, as far as the graph tells, and their worth; those of the last visits
// mode: read
// params: $pages INTEGER at most
// returns: url, host, depth, worth, facts, anchors (source, anchor and position of links to it from pages fetched before), in the order of the visits
// source: [000.order]
MATCH (p:Fetched) WHERE p:PageNeuron AND p.worth IS NOT NULL AND p.fetchedAt IS NOT NULL
WITH p ORDER BY p.fetchedAt DESC LIMIT $pages
WITH p ORDER BY p.fetchedAt
CALL (p) {
  OPTIONAL MATCH (p)<-[:LINK_AXON]-(q:Fetched) WHERE q.fetchedAt < p.fetchedAt
  RETURN coalesce(max(q.worth), 0.0) AS best, coalesce(sum(q.worth), 0.0) AS sum, count(q) AS parents
}
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.worth AS worth,
       p {.number, .strength, .feedHint, .topicHint, inLinks: parents, parentBest: best, parentSum: toFloat(sum), parentCount: parents,
          reward: CASE WHEN p.reward > p.baseReward THEN p.reward - p.baseReward ELSE 0.0 END} AS facts,
       COLLECT {
         MATCH (p)<-[a:LINK_AXON]-(q:Fetched) WHERE q.fetchedAt < p.fetchedAt
         RETURN {source: q.url, anchor: a.anchor, position: a.position} LIMIT 8
       } AS anchors
