// Note on feeds what their last reading found
// mode: write
// params: $readings LIST<MAP> lister URL, properties readAt readWhole readJobs readNew readChanged readGone readCut readRepaired
// returns: nothing
// source: issue 4
UNWIND $readings AS row
MATCH (p:PageNeuron {url: row.lister})
SET p += row.properties
