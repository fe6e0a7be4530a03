// Read what a scorer's parts have learned, as far as it is not known yet
// mode: read
// params: $scorer STRING of the scorer: quality or composite
//         $known MAP part → number of its newest writing that is known; its data is left out = {}
// returns: part, version, seq, lessons, updatedAt, data (bytes; null where that writing is known), ended whether its run is over
// source: [004.stats]
MATCH (m:Model) USING INDEX m:Model(name, part)
WHERE m.name = $scorer AND m.part IS NOT NULL
OPTIONAL MATCH (c:Crawl {id: m.part})
RETURN m.part AS part, m.version AS version, m.seq AS seq, m.lessons AS lessons, m.updatedAt AS updatedAt,
       CASE WHEN m.seq = $known[m.part] THEN null ELSE m.data END AS data,
       c IS NULL OR c.finishedAt IS NOT NULL OR m.updatedAt < datetime() - duration('P1D') AS ended
ORDER BY part
