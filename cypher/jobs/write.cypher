// Write new jobs, and what a source says of known ones
// mode: write
// params: $jobs LIST<MAP> job key, lister URL, at DATETIME of the reading, changed whether it is a change of the job, words number of the lister if the row has its words, else null, properties, listing
//         $batch INTEGER number of this transaction
// returns: nothing
// source: [000.process]
UNWIND $jobs AS row
MATCH (p:PageNeuron {url: row.lister})
MERGE (j:Job {key: row.job})
ON CREATE SET j.firstSeenAt = row.at, j.batch = $batch
WITH row, p, j, CASE WHEN row.words IS NULL THEN properties(j) ELSE {wordedBy: row.words} END AS kept
SET j += row.properties, j += kept,                                   // who words it not fills what it lacks
    j.lastSeenAt = CASE WHEN j.lastSeenAt > row.at THEN j.lastSeenAt ELSE row.at END, j.goneAt = NULL,
    j.changedAt = CASE WHEN row.changed THEN row.at ELSE j.changedAt END
MERGE (p)-[l:LISTS]->(j)
ON CREATE SET l.firstSeenAt = row.at
SET l += row.listing, l.lastSeenAt = row.at, l.goneAt = NULL
