// Link farms: pages of two hosts that link to each other, and that no rule paid for
// mode: read
// params: $axons INTEGER mutual links that two hosts must have = 2
//         $limit INTEGER pairs of pages = 100
// returns: two axons, a page of one host and a page of the other; the hosts with the most first
// source: [000.distribute]
MATCH (a:PageNeuron:Fetched)-[out:LINK_AXON]->(b:PageNeuron:Fetched)
WHERE a.host < b.host AND NOT a:Rewarded AND NOT b:Rewarded
MATCH (b)-[back:LINK_AXON]->(a)
WITH a.host AS one, b.host AS other, collect({page: a, out: out, target: b, back: back}) AS pairs
WHERE size(pairs) >= $axons
UNWIND pairs AS pair
RETURN pair.page AS page, pair.out AS out, pair.target AS target, pair.back AS back
ORDER BY size(pairs) DESC, one, other, page.url, target.url LIMIT $limit
