// Neighbours of a page: its strongest axons in both directions
// mode: read
// params: $url STRING the page's URL
//         $limit INTEGER axons = 100
// returns: paths, each in the direction of its axon
// source: [000.graph]
MATCH (page:PageNeuron {url: $url})
CALL (page) {
  MATCH link = (page)-[axon:LINK_AXON]->(:PageNeuron) RETURN link, axon
  UNION ALL
  MATCH link = (:PageNeuron)-[axon:LINK_AXON]->(page) RETURN link, axon
}
RETURN link
ORDER BY axon.weight DESC LIMIT $limit
