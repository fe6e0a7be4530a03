// What tells whether a graph changes while it is exported
// mode: read
// params: $nowMs INTEGER milliseconds since 1970; null: the server's time = null
// returns: leased pages whose lease runs, until when at most; tokens of the claims and job transactions, pages discovered,
//          distributions; nodes and relationships in all
// source: design of the graph
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH ()-[r]->() RETURN count(r) AS relationships }
CALL () {
  MATCH (p:Leased) USING INDEX p:Leased(leasedUntil)
  WHERE p.leasedUntil > datetime({epochMillis: coalesce($nowMs, timestamp())})
  RETURN count(p) AS leased, max(p.leasedUntil) AS leasedUntil
}
OPTIONAL MATCH (claim:WriteGate {name: 'claim'})
OPTIONAL MATCH (jobs:WriteGate {name: 'jobs'})
OPTIONAL MATCH (record:WriteGate {name: 'record'})
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN leased, leasedUntil, coalesce(claim.token, 0) AS claims, coalesce(jobs.token, 0) AS jobs,
       coalesce(record.discovered, 0) AS discovered, coalesce(m.distributions, 0) AS distributions, nodes, relationships
