// Write new jobs and those that changed
// mode: write
// params: $jobs LIST<MAP> key, lister URL, digest of what the job says, at DATETIME of the reading, properties
// returns: lister, new and changed jobs by each page or feed that lists them
// source: [000.process]
UNWIND $jobs AS row
MATCH (p:PageNeuron {url: row.lister})
MERGE (j:Job {key: row.key})
WITH row, p, j, j.digest IS NULL AS new, coalesce(j.digest <> row.digest OR j.goneAt IS NOT NULL, false) AS changed  // or is back
SET j += row.properties, j.digest = row.digest, j.firstSeenAt = coalesce(j.firstSeenAt, row.at), j.lastSeenAt = row.at,
    j.goneAt = NULL, j.changedAt = CASE WHEN changed THEN row.at ELSE j.changedAt END
MERGE (p)-[l:LISTS]->(j)
ON CREATE SET l.firstSeenAt = row.at
SET l.lastSeenAt = row.at, l.goneAt = NULL
RETURN row.lister AS lister, sum(CASE WHEN new THEN 1 ELSE 0 END) AS new, sum(CASE WHEN changed THEN 1 ELSE 0 END) AS changed
