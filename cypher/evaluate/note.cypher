// Note that the whole graph has been judged by rules
// mode: write
// params: $digest STRING of the rules
//         $rules STRING their name
//         $nowMs INTEGER milliseconds since 1970 when that began, for tests = null
// returns: nothing
// source: [000.process]
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.rulesDigest = $digest, m.rulesName = $rules, m.evaluatedAt = datetime({epochMillis: coalesce($nowMs, timestamp())})
