// Note that known jobs are still listed and say what they said
// mode: write
// params: $jobs LIST<MAP> key, lister URL, digest of what the job says, at DATETIME of the reading
// returns: key of each that needs no more: unchanged, or written by a later reading already
// source: [000.process]
UNWIND $jobs AS row
MATCH (j:Job {key: row.key}) SET j:Job                                // lock, then look
WITH row, j WHERE j.lastSeenAt > row.at OR j.digest = row.digest AND j.goneAt IS NULL
MATCH (j)<-[l:LISTS]-(:PageNeuron {url: row.lister})
WITH row, j, l WHERE l.goneAt IS NULL
FOREACH (_ IN CASE WHEN j.lastSeenAt <= row.at THEN [1] ELSE [] END | SET j.lastSeenAt = row.at, l.lastSeenAt = row.at)
RETURN row.key AS key
