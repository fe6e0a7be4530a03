// What the order goes by: the place of each page in the order of discovery, and what fetched pages are worth
// mode: schema
// params: none
// returns: nothing
// source: [000.order]
// Pages of older graphs are numbered by when they were discovered, before all that come.
MATCH (p:PageNeuron) WHERE p.number IS NULL AND p.discoveredAt IS NOT NULL
WITH p ORDER BY p.discoveredAt, p.neuronId
WITH collect(p) AS pages
UNWIND range(0, size(pages) - 1) AS place
WITH pages[place] AS p, place
CALL (p, place) {
  SET p.number = place + 1
} IN TRANSACTIONS OF 5000 ROWS;
MATCH (p:PageNeuron) WHERE p.number IS NOT NULL
WITH max(p.number) AS highest
MERGE (gate:WriteGate {name: 'record'})
SET gate.discovered = CASE WHEN highest IS NULL OR gate.discovered >= highest THEN coalesce(gate.discovered, 0) ELSE highest END;
// What rules paid says what a page is worth, as `scoring.worth` has it: 1 - exp(-points / 10); a job feed is worth 1.
MATCH (p:Fetched) WHERE p.worth IS NULL
CALL (p) {
  WITH p, reduce(points = 0.0, g IN coalesce(p.grants, []) |
    points + CASE WHEN split(g, ' ')[1] IN ['seed', 'feed-new', 'feed-known'] THEN 0.0 ELSE toFloat(split(g, ' ')[0]) END) AS points
  SET p.worth = CASE WHEN p:JobFeed THEN 1.0 ELSE 1.0 - exp(-points / 10.0) END
} IN TRANSACTIONS OF 5000 ROWS;
