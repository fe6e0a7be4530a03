// Write new jobs, and what a source says of known ones
// mode: write
// params: $jobs LIST<MAP> job key, lister URL, at DATETIME of the reading, changed whether it is a change of the job, properties, listing what its source says of it
//         $batch INTEGER number of this transaction
// returns: nothing
// source: [000.process]
UNWIND $jobs AS row
MATCH (p:PageNeuron {url: row.lister})
MERGE (j:Job {key: row.job})
ON CREATE SET j.firstSeenAt = row.at, j.batch = $batch
SET j += row.properties, j.lastSeenAt = CASE WHEN j.lastSeenAt > row.at THEN j.lastSeenAt ELSE row.at END, j.goneAt = NULL,
    j.changedAt = CASE WHEN row.changed THEN row.at ELSE j.changedAt END
MERGE (p)-[l:LISTS]->(j)
ON CREATE SET l.firstSeenAt = row.at
SET l += row.listing, l.lastSeenAt = row.at, l.goneAt = NULL
