// Tell the ends of new axons what flows in by these
// mode: write
// params: $sources LIST<STRING> URLs of pages
//         $targets LIST<MAP> url, axons from those pages: source (its place in $sources), weight
//         $damping FLOAT share δ of reward that flows on
// returns: nothing
// source: design of the reward
UNWIND $sources AS url
MATCH (s:PageNeuron {url: url})
SET s:Touched
WITH collect(s) AS sources
UNWIND $targets AS row
MATCH (t:PageNeuron {url: row.url})
WITH sources, row, t, t.inflow IS NULL AND t.flowRate IS NULL AS born,
     reduce(sum = 0.0, axon IN row.axons | sum + axon.weight * coalesce((sources[axon.source]).flowRate, 0.0)) AS more
SET t:Touched, t.inflow = CASE WHEN born THEN more ELSE t.inflow + more END   // one that is not known stays so
FOREACH (_ IN CASE WHEN born AND t.strength > 1e-9 THEN [1] ELSE [] END | SET t.flowRate = $damping * more / t.strength)
FOREACH (axon IN row.axons |
  FOREACH (s IN [sources[axon.source]] | SET s.inflow = s.inflow + axon.weight * coalesce(t.flowRate, 0.0)))
