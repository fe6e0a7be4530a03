// Waiting pages whose own time has come
// mode: read
// params: $limit INTEGER pages at most
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: url, host of each
// source: design of the graph
MATCH (p:Frontier) USING INDEX p:Frontier(readyAt)
WHERE datetime({epochMillis: 0}) < p.readyAt <= datetime({epochMillis: coalesce($nowMs, timestamp())})
RETURN p.url AS url, p.host AS host LIMIT $limit
