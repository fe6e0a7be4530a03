// Jobs that lead to what is to be forgotten, or that nothing else lists
// mode: read
// params: $url STRING canonical URL, or null
//         $prefixes LIST<STRING> how the URLs of a host begin, or none
// returns: key of each
// source: requests for deletion
MATCH (j:Job) WHERE j.key IS NOT NULL
WITH j WHERE j.url = $url OR any(prefix IN $prefixes WHERE j.url STARTS WITH prefix)
   OR EXISTS { (j)<-[:LISTS]-(p) WHERE p.url = $url OR any(prefix IN $prefixes WHERE p.url STARTS WITH prefix) }
  AND NOT EXISTS { (j)<-[:LISTS]-(p)
                   WHERE NOT (coalesce(p.url = $url, false) OR any(prefix IN $prefixes WHERE p.url STARTS WITH prefix)) }
RETURN j.key AS key
