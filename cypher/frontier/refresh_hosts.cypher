// Rebuild every host's best priority from the pages that wait
// mode: auto
// params: none
// returns: nothing
// source: [000.order]
MATCH (h:Host) USING INDEX h:Host(name) WHERE h.name >= ''
WITH h ORDER BY h.name
CALL (h) {
  SET h:Host
  WITH h
  CALL (h) {
    MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
    WITH p ORDER BY p.host DESC, p.priority DESC LIMIT 1
    RETURN collect(p.priority) AS best
  }
  SET h.bestPriority = CASE WHEN h.parkedUntil IS NULL AND h.blockedAt IS NULL THEN best[0] END
} IN TRANSACTIONS OF 500 ROWS
