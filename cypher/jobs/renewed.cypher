// Note that a source has no listings of a former form any more
// mode: write
// params: $lister STRING URL
// returns: nothing
// source: design of the graph
MATCH (p:PageNeuron {url: $lister})
REMOVE p.listsOld
