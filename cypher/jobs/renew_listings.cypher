// Give listings of a former form what they lack
// mode: write
// params: $lister STRING URL
//         $words INTEGER number of the lister
//         $listings LIST<MAP> job key, listing
// returns: nothing
// source: design of the graph
UNWIND $listings AS row
MATCH (j:Job {key: row.job})
MATCH (j)<-[l:LISTS]-(:PageNeuron {url: $lister})
SET l += row.listing, j.wordedBy = coalesce(j.wordedBy, $words)
