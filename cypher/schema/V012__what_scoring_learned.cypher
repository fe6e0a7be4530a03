// What scoring has learned, one part for each worker
// mode: schema
// params: none
// returns: nothing
// source: [004.stats]
CREATE CONSTRAINT model_part IF NOT EXISTS FOR (m:Model) REQUIRE (m.name, m.part) IS UNIQUE;
MERGE (:WriteGate {name: 'model'});
