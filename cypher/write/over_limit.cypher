// Leave out the waiting pages of hosts of which enough pages were asked for
// mode: write
// params: $names LIST<STRING> host keys, sorted
//         $limit INTEGER pages of one host at once
// returns: pages, how many wait no longer
// source: design of the graph
UNWIND $names AS name
CALL (name) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = name AND p.priority IS NOT NULL AND NOT p:Fetched
  RETURN p LIMIT $limit
}
SET p:PageNeuron                                                     // lock, then look
WITH p WHERE p:Frontier AND NOT p:Fetched
REMOVE p:Frontier, p.priority
SET p:Excluded, p.reason = 'host-limit', p.error = 'host-limit: enough pages of its host were asked for'
RETURN count(p) AS pages
