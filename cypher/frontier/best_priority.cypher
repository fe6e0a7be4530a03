// Set what hosts' best waiting pages are worth
// mode: write
// params: $names LIST<STRING> host keys, sorted
// returns: nothing
// source: [000.order]
UNWIND $names AS name
MATCH (h:Host {name: name})
SET h:Host
WITH h
CALL (h) {
  MATCH (p:Frontier) USING INDEX p:Frontier(host, priority) WHERE p.host = h.name AND p.priority IS NOT NULL
  WITH p ORDER BY p.host DESC, p.priority DESC LIMIT 1
  RETURN collect(p.priority) AS best
}
SET h.bestPriority = CASE WHEN h.parkedUntil IS NULL AND h.blockedAt IS NULL THEN best[0] END
