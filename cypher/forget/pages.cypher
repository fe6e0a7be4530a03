// Pages that are to be forgotten
// mode: read
// params: $url STRING canonical URL, or null
//         $prefixes LIST<STRING> how the URLs of a host begin, or none
// returns: url, state (its labels), texts, axons (one between two of them once), jobs that it lists, of each page
// source: requests for deletion
CALL () {
  MATCH (p:PageNeuron {url: $url}) RETURN p
  UNION
  UNWIND $prefixes AS prefix
  MATCH (p:PageNeuron) USING INDEX p:PageNeuron(url) WHERE p.url STARTS WITH prefix RETURN p
}
RETURN p.url AS url, [l IN labels(p) WHERE l <> 'PageNeuron'] AS state, COUNT { (p)-[:HAS_TEXT]->() } AS texts,
       COUNT { (p)-[:LINK_AXON|ALIAS_AXON]->() } + COUNT {
         (p)<-[:LINK_AXON|ALIAS_AXON]-(q) WHERE NONE(prefix IN $prefixes WHERE q.url STARTS WITH prefix)
       } AS axons, COUNT { (p)-[:LISTS]->() } AS jobs
