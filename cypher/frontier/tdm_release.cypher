// Let others ask for one origin's tdmrep.json
// mode: write
// params: $origin STRING scheme://host:port
//         $worker STRING who had reserved it
// returns: nothing
// source: TDM Reservation Protocol
MATCH (o:Origin {key: $origin}) WHERE o.tdmAskedBy = $worker
REMOVE o.tdmAskedBy, o.tdmAskedUntil
