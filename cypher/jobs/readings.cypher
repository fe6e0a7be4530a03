// Note on feeds what their last reading found
// mode: write
// params: $readings LIST<MAP> lister URL, properties readAt readWhole readJobs readNew readChanged readGone readCut readRepaired
// returns: nothing
// source: [000.process]
UNWIND $readings AS row
MATCH (p:PageNeuron {url: row.lister})
WHERE row.properties.readJobs > 0 OR p:JobFeed                          // an empty one may be of anything
SET p.readBeforeAt = CASE WHEN p.readAt < row.properties.readAt THEN p.readAt ELSE p.readBeforeAt END,
    p += row.properties
