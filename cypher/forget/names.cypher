// Hosts that the graph names and a name for many stands for
// mode: read
// params: $bare STRING the host name in it
//         $below BOOLEAN whether it stands for the hosts below that too
// returns: host of each: host keys, and blocked names for many
// source: requests for deletion
CALL () {
  MATCH (h:Host) WHERE h.name IS NOT NULL RETURN h.name AS host
  UNION
  MATCH (o:Origin) WHERE o.key IS NOT NULL RETURN split(o.key, '/')[2] AS host
  UNION
  MATCH (p:PageNeuron) RETURN DISTINCT split(p.url, '/')[2] AS host
  UNION
  MATCH (p:PageNeuron) WHERE p.error STARTS WITH 'redirect: redirects to ' RETURN DISTINCT split(p.error, '/')[2] AS host
  UNION
  MATCH (j:Job) WHERE j.key IS NOT NULL RETURN DISTINCT split(j.url, '/')[2] AS host
}
WITH DISTINCT host WHERE host = $bare OR host STARTS WITH $bare + ':'
  OR $below AND (host ENDS WITH '.' + $bare OR host CONTAINS '.' + $bare + ':')
RETURN host
