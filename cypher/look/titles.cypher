// The titles of all pages that were fetched
// mode: read
// params: none
// returns: title
// source: [003.docindex]
MATCH (p:Fetched) WHERE p.title IS NOT NULL RETURN DISTINCT p.title AS title
