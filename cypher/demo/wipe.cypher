// Empty the demo's graph; what it is stays noted, and what is not ours stays
// mode: auto
// params: none
// returns: nothing
// source: the demo shows another web each time
MATCH (n:PageNeuron|PageText|Host|Origin|Crawl|Job|Forgotten|Model)
WHERE n:PageNeuron OR n:PageText OR n:Host AND n.name IS NOT NULL OR n:Origin AND n.key IS NOT NULL OR n:Crawl AND n.id IS NOT NULL
   OR n:Job AND n.key IS NOT NULL OR n:Forgotten OR n:Model AND n.name IS NOT NULL
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
