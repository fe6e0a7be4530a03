// Make the part of a worker that has learned something for the first time, or write the part of all runs that ended
// mode: write
// params: $scorer STRING of the scorer
//         $part STRING id of the worker's run, or past
//         $version INTEGER of the meaning of the data
//         $lessons INTEGER pages that taught it
//         $data BYTES its statistics, see scoring/statistics.py
// returns: seq, number of this writing
// source: [004.stats]
MERGE (m:Model {name: $scorer, part: $part})
SET m.version = $version, m.lessons = $lessons, m.data = $data, m.seq = coalesce(m.seq, 0) + 1, m.updatedAt = datetime()
RETURN m.seq AS seq
