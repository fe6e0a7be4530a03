// Keep the robots rules of one origin
// mode: write
// params: $origin STRING scheme://host:port
//         $status INTEGER of the answer; null: there was none
//         $body STRING the rules as sent
//         $fetchedAt DATETIME when they were asked for
//         $expiresAt DATETIME when they are to be asked for again
//         $crawlDelayS FLOAT seconds that they ask us to leave between requests; null: none
// returns: nothing
// source: [002.robots]
MERGE (o:Origin {key: $origin})
REMOVE o.askedBy, o.askedUntil
SET o.status = $status, o.body = $body, o.fetchedAt = $fetchedAt, o.expiresAt = $expiresAt,
    o.crawlDelayS = $crawlDelayS
