// What each source says of a job, so that one row stands for it over all of them; pages with jobs are visited again
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE INDEX lists_key IF NOT EXISTS FOR ()-[l:LISTS]-() ON (l.key);
CREATE INDEX lists_url_key IF NOT EXISTS FOR ()-[l:LISTS]-() ON (l.urlKey);
CREATE INDEX lists_same_as IF NOT EXISTS FOR ()-[l:LISTS]-() ON (l.sameAs);
CREATE INDEX job_batch IF NOT EXISTS FOR (j:Job) ON (j.batch);
CREATE INDEX job_page_next_visit_at IF NOT EXISTS FOR (p:JobPage) ON (p.nextVisitAt);
MERGE (:WriteGate {name: 'jobs'});
MATCH (j:Job) CALL (j) {
  REMOVE j.digest
  WITH j MATCH (p:PageNeuron)-[:LISTS]->(j)
  SET p.listsOld = true
  WITH p WHERE NOT p:JobFeed
  SET p:JobPage, p.visitIntervalS = 86400.0, p.nextVisitAt = p.fetchedAt + duration('P1D')
} IN TRANSACTIONS;
