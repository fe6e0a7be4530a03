// Drop the texts of pages whose owner said until when they may be shown
// mode: write
// params: $limit INTEGER pages = 1000
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: pages whose time has come
// source: [002.robots]
MATCH (p:Fetched) USING INDEX p:Fetched(unavailableAfter)
WHERE p.unavailableAfter <= datetime({epochMillis: coalesce($nowMs, timestamp())})
WITH p LIMIT $limit
SET p:PageNeuron                                                     // lock, then look
WITH p, properties(p).unavailableAfter AS until WHERE until <= datetime({epochMillis: coalesce($nowMs, timestamp())})
REMOVE p.unavailableAfter
WITH p
OPTIONAL MATCH (p)-[:HAS_TEXT]->(x:PageText)
DETACH DELETE x
RETURN count(DISTINCT p) AS pages
