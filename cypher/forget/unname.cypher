// Let no page say that it redirects to what is forgotten, also where the redirect itself is lost
// mode: write
// params: $url STRING canonical URL, or null
//         $prefixes LIST<STRING> how the URLs of a host begin, or none
// returns: nothing
// source: requests for deletion
MATCH (q:PageNeuron) WHERE q.error STARTS WITH 'redirect: redirects to '
WITH q, substring(q.error, 23) AS target
WHERE target = $url OR any(prefix IN $prefixes WHERE target STARTS WITH prefix)
SET q.error = 'redirect: redirects to what was forgotten on request'
