// Write a worker's part anew: all that it has learned, so to do it twice changes nothing
// mode: write
// params: $scorer STRING of the scorer
//         $part STRING id of the worker's run
//         $version INTEGER of the meaning of the data
//         $lessons INTEGER pages that taught it
//         $data BYTES its statistics; null: as before, only to show that the worker is alive = null
// returns: seq, number of this writing; no row where the part was folded into that of all runs that ended
// source: [004.stats]
MATCH (m:Model {name: $scorer, part: $part})
SET m.updatedAt = datetime(), m.version = $version, m.lessons = $lessons,
    m.seq = CASE WHEN $data IS NULL THEN m.seq ELSE m.seq + 1 END, m.data = coalesce($data, m.data)
RETURN m.seq AS seq
