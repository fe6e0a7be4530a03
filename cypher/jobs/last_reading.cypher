// Tell whether a feed that is empty now was empty at its last reading, and whether it lists jobs
// mode: read
// params: $url STRING the feed
// returns: wasEmpty, lists whether it lists a job that is not gone
// source: [000.process]
MATCH (p:PageNeuron {url: $url})
RETURN coalesce(p.readEnded = 'empty', false) AS wasEmpty,
       EXISTS { MATCH (p)-[l:LISTS]->(:Job) WHERE l.goneAt IS NULL } AS lists
