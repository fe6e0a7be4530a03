// What a page's neighbours pass on to it: each neighbour's reward by its axons' share of that neighbour's axons
// mode: read
// params: $url STRING canonical URL of the page
//         $limit INTEGER neighbours to name = 10
// returns: neighbours, points (sum of what they would pass on if they passed on all), weight (of the page's axons),
//          top: url, title, direction (in: it links here, out: it is linked from here, both), anchor, reward, weight, points
// source: [000.distribute]
MATCH (p:PageNeuron {url: $url})
CALL (p) {
  MATCH (p)-[a:LINK_AXON]-(q:PageNeuron)
  WITH p, q, sum(a.weight) AS weight, sum(CASE WHEN startNode(a) = q THEN 1 ELSE 0 END) AS come,
       sum(CASE WHEN startNode(a) = p THEN 1 ELSE 0 END) AS go,
       head(collect(CASE WHEN startNode(a) = q THEN a.anchor END)) AS anchor
  RETURN q, weight, CASE WHEN go = 0 THEN 'in' WHEN come = 0 THEN 'out' ELSE 'both' END AS direction, anchor,
         CASE WHEN q.strength > 0 THEN coalesce(q.reward, 0.0) * weight / q.strength ELSE 0.0 END AS points
}
WITH q, weight, direction, anchor, points ORDER BY points DESC, q.url
WITH count(q) AS neighbours, coalesce(sum(points), 0.0) AS points, coalesce(sum(weight), 0.0) AS weight,
     collect({url: q.url, title: q.title, direction: direction, anchor: anchor, reward: coalesce(q.reward, 0.0), weight: weight, points: points}) AS all
RETURN neighbours, points, weight, all[..$limit] AS top
