// Add to a run's counters
// mode: write
// params: $id STRING of the run
//         $counters MAP what to add to each
// returns: nothing
// source: design of the graph
MATCH (c:Crawl {id: $id})
SET c:Crawl
WITH c
UNWIND keys($counters) AS key
SET c[key] = coalesce(c[key], 0) + $counters[key]
