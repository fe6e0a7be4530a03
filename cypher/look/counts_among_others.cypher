// How many pages are in which state, where nodes of others bear the same labels
// mode: read
// params: none
// returns: as look/counts, but it looks at every page
// source: design of the command line
CALL () { MATCH (:PageNeuron) RETURN count(*) AS neurons }
CALL () { MATCH ()-[:LINK_AXON]->() RETURN count(*) AS axons }
CALL () { MATCH (:PageNeuron&Frontier) RETURN count(*) AS frontier }
CALL () { MATCH (:PageNeuron&Leased) RETURN count(*) AS leased }
CALL () { MATCH (:PageNeuron&Fetched) RETURN count(*) AS fetched }
CALL () { MATCH (:PageNeuron&Failed) RETURN count(*) AS failed }
CALL () { MATCH (:PageNeuron&Excluded) RETURN count(*) AS excluded }
CALL () { MATCH (:PageNeuron&Pruned) RETURN count(*) AS pruned }
CALL () { MATCH (:PageNeuron&Seed) RETURN count(*) AS seeds }
CALL () { MATCH (:PageNeuron&Rewarded) RETURN count(*) AS rewarded }
CALL () { MATCH (:PageNeuron&JobFeed) RETURN count(*) AS feeds }
CALL () { MATCH (:PageNeuron&NeedsScript) RETURN count(*) AS needsScript }
RETURN neurons - pruned AS neurons, axons, frontier, leased, fetched, failed, excluded, pruned, seeds, rewarded, feeds, needsScript
