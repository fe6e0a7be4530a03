// What is known of waiting pages that were never visited
// mode: read
// params: $urls LIST<STRING> pages that may wait
// returns: url, host, depth, score or null, facts of each
// source: [000.order]
UNWIND $urls AS url
MATCH (p:PageNeuron {url: url})
WHERE p:Frontier AND NOT p:Fetched
RETURN p.url AS url, p.host AS host, p.depth AS depth, p.score AS score,
       p {.number, .inLinks, .parentBest, .parentSum, .parentCount, .reward, .strength, .cash, .feedHint, .topicHint, .cues} AS facts
