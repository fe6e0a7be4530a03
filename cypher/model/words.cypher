// Words of links, to tell what hashed features stand for
// mode: read
// params: $pages INTEGER pages to look at = 1000
//         $links INTEGER links in all = 20000
// returns: url of a link's target, anchor
// source: [004.stats]
MATCH (p:Fetched) WHERE p:PageNeuron
WITH p LIMIT $pages
MATCH (p)-[a:LINK_AXON]->(t:PageNeuron)
WITH t.url AS url, a.anchor AS anchor LIMIT $links
RETURN url, anchor
