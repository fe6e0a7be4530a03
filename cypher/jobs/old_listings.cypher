// Listings of a former form: of jobs that a source lists, and nothing of what it says is kept
// mode: read
// params: $lister STRING URL
//         $limit INTEGER listings = 500
// returns: job key and properties
// source: design of the graph
MATCH (:PageNeuron {url: $lister})-[l:LISTS]->(j:Job)
WHERE l.sameAs IS NULL
RETURN j.key AS job, properties(j) AS properties LIMIT $limit
