// Neighbours of a page: its strongest axons in both directions
// mode: read
// params: $url STRING the page's URL; empty: the best-paid page = ""
//         $limit INTEGER axons = 100
// returns: paths, each in the direction of its axon
// source: [000.graph]
CALL () {
  MATCH (page:PageNeuron {url: $url}) RETURN page
  UNION
  MATCH (page:PageNeuron:Rewarded)
  WHERE $url = '' AND NOT page:Seed
  RETURN page ORDER BY page.reward DESC, page.url LIMIT 1
}
CALL (page) {
  MATCH link = (page)-[axon:LINK_AXON]->(:PageNeuron) RETURN link, axon
  UNION ALL
  MATCH link = (:PageNeuron)-[axon:LINK_AXON]->(page) RETURN link, axon
}
RETURN link
ORDER BY axon.weight DESC LIMIT $limit
