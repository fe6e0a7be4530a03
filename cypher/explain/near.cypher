// Known pages whose URLs begin alike, in the order of their URLs
// mode: read
// params: $prefix STRING how they begin
//         $limit INTEGER pages = 3
// returns: url
// source: design of the command line
MATCH (p:PageNeuron) USING INDEX p:PageNeuron(url) WHERE p.url STARTS WITH $prefix
RETURN p.url AS url ORDER BY p.url LIMIT $limit
