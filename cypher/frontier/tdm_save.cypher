// Keep one origin's tdmrep.json
// mode: write
// params: $origin STRING scheme://host:port
//         $body STRING the file as sent; empty where it reserves nothing
//         $fetchedAt DATETIME when it was asked for
//         $expiresAt DATETIME when it is to be asked for again
// returns: nothing
// source: TDM Reservation Protocol
MERGE (o:Origin {key: $origin})
REMOVE o.tdmAskedBy, o.tdmAskedUntil
SET o.tdmBody = $body, o.tdmFetchedAt = $fetchedAt, o.tdmExpiresAt = $expiresAt
