// How many pages go before one that waits: of its own host, and hosts whose best is better
// mode: read
// params: $host STRING host key
//         $priority FLOAT of the page
// returns: ahead pages of its host, hostsAhead
// source: [000.order]
CALL () {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = $host AND p.priority > $priority
  RETURN count(p) AS ahead
}
CALL () {
  MATCH (h:Host) USING INDEX h:Host(bestPriority) WHERE h.bestPriority > $priority AND h.name <> $host
  RETURN count(h) AS hostsAhead
}
RETURN ahead, hostsAhead
