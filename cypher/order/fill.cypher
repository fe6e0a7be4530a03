// Let waiting pages know what fetched pages that link to them say of them
// mode: auto
// params: none
// returns: pages
// source: [000.order]
MATCH (p:Frontier) WHERE p:PageNeuron AND NOT p:Fetched
CALL (p) {
  SET p:PageNeuron                                                   // lock, then look
  WITH p
  OPTIONAL MATCH (p)<-[:LINK_AXON]-(q:Fetched)
  WITH p, max(q.worth) AS best, sum(q.worth) AS sum, count(q) AS parents,
       sum(CASE WHEN q IS NULL THEN 0.0 ELSE 1.0 / CASE WHEN q.outLinks > 0 THEN q.outLinks ELSE 1 END END) AS cash
  SET p.parentBest = coalesce(best, 0.0), p.parentSum = toFloat(sum), p.parentCount = parents,
      p.cash = CASE WHEN p:Seed THEN 1.0 ELSE cash END
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS pages
