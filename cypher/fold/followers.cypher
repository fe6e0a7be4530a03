// Which pages others stand for
// mode: read
// params: $urls LIST<STRING> representatives
// returns: url, aliasOf of each alias of theirs
// source: RFC 6596
UNWIND $urls AS url
MATCH (p:Alias) USING INDEX p:Alias(aliasOf) WHERE p.aliasOf = url
RETURN p.url AS url, url AS aliasOf
