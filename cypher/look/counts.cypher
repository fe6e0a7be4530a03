// How many pages are in which state, from the count store
// mode: read
// params: none
// returns: neurons (without tombstones), axons, and pages by label; a fetched page that waits for a revisit counts twice
// source: design of the command line
CALL () { MATCH (:PageNeuron) RETURN count(*) AS neurons }
CALL () { MATCH ()-[:LINK_AXON]->() RETURN count(*) AS axons }
CALL () { MATCH (:Frontier) RETURN count(*) AS frontier }
CALL () { MATCH (:Leased) RETURN count(*) AS leased }
CALL () { MATCH (:Fetched) RETURN count(*) AS fetched }
CALL () { MATCH (:Failed) RETURN count(*) AS failed }
CALL () { MATCH (:Excluded) RETURN count(*) AS excluded }
CALL () { MATCH (:Pruned) RETURN count(*) AS pruned }
CALL () { MATCH (:Seed) RETURN count(*) AS seeds }
CALL () { MATCH (:Rewarded) RETURN count(*) AS rewarded }
CALL () { MATCH (:JobFeed) RETURN count(*) AS feeds }
CALL () { MATCH (:NeedsScript) RETURN count(*) AS needsScript }
RETURN neurons - pruned AS neurons, axons, frontier, leased, fetched, failed, excluded, pruned, seeds, rewarded, feeds, needsScript
