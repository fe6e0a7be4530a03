// Tell what ran beside a run, and how long it took
// mode: write
// params: $id STRING of the run
//         $works STRING as JSON
// returns: nothing
// source: design of the command line
MATCH (c:Crawl {id: $id})
SET c.works = $works
