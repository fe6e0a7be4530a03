// Create the hosts
// mode: write
// params: $hosts INTEGER how many
// returns: nothing
// source: a benchmark
UNWIND range(0, $hosts - 1) AS i
CREATE (:Host {name: 'h' + i + '.example'})
