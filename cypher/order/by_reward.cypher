// Let all pages wait by their reward again
// mode: auto
// params: $feedHintPoints FLOAT priority of a page that surely is a job feed = 100.0
// returns: pages
// source: [000.order]
MATCH (p:Frontier) WHERE p:PageNeuron
CALL (p) {
  SET p:PageNeuron                                                   // lock, then look
  WITH p WHERE p:Frontier
  REMOVE p.score
  SET p.priority = CASE WHEN p.readyAt IS NULL THEN p.reward + $feedHintPoints * coalesce(p.feedHint, 0.0) END
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS pages
