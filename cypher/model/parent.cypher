// What is known of a page that links to others, for scoring them
// mode: read
// params: $url STRING canonical
// returns: url, depth, fetched whether its content is known, worth 0 to 1 (null: not noted), grants (texts), feed whether it is a job feed; no row where it is unknown
// source: [004.features]
MATCH (p:PageNeuron {url: $url})
OPTIONAL MATCH (r:PageNeuron {url: p.aliasOf})
WITH coalesce(r, p) AS p
RETURN p.url AS url, p.depth AS depth, p:Fetched AS fetched, p.worth AS worth,
       coalesce(p.grants, []) AS grants, p:JobFeed AS feed
