// Neighbours of a page: its strongest axons in both directions
// mode: read
// params: $url STRING the page's URL
//         $limit INTEGER axons = 100
// returns: paths
// source: [000.graph]
MATCH (page:PageNeuron {url: $url})
MATCH link = (page)-[axon:LINK_AXON]-(:PageNeuron)
RETURN link
ORDER BY axon.weight DESC LIMIT $limit
