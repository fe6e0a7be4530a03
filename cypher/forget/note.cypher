// Keep the hash of what was forgotten, so that it never comes back
// mode: write
// params: $key STRING hash of the URL or host key
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: requests for deletion
MERGE (f:Forgotten {key: $key})
ON CREATE SET f.forgottenAt = datetime({epochMillis: coalesce($nowMs, timestamp())})
WITH f
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.forgets = true
REMOVE m.topicExamples                                              // it may be one of them
