// Note that known jobs are still listed, by a source that says of them what it said before
// mode: write
// params: $jobs LIST<MAP> job key, lister URL, at DATETIME of the reading
// returns: nothing
// source: [000.process]
UNWIND $jobs AS row
MATCH (j:Job {key: row.job})
MATCH (j)<-[l:LISTS]-(:PageNeuron {url: row.lister})
SET l.lastSeenAt = row.at, j.lastSeenAt = CASE WHEN j.lastSeenAt > row.at THEN j.lastSeenAt ELSE row.at END
