// What is known of waiting pages that were never visited: of all, or of those without a score
// mode: read
// params: $all BOOLEAN of all
// returns: url, host, depth, score or null, facts of each; anchors (source, anchor and position of links to it) where it has no cues
// source: [000.order]
MATCH (p:Frontier) WHERE p:PageNeuron AND NOT p:Fetched AND ($all OR p.score IS NULL)
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.score AS score,
       p {.number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues} AS facts,
       CASE WHEN p.cues IS NULL THEN COLLECT {
         MATCH (p)<-[a:LINK_AXON]-(q) RETURN {source: q.url, anchor: a.anchor, position: a.position} LIMIT 8
       } END AS anchors
