// Let others ask for the robots rules of one origin
// mode: write
// params: $origin STRING scheme://host:port
//         $worker STRING who had reserved it
// returns: nothing
// source: [002.robots]
MATCH (o:Origin {key: $origin}) WHERE o.askedBy = $worker
REMOVE o.askedBy, o.askedUntil
