// Jobs as rows, and feeds that wait to be read again
// mode: schema
// params: none
// returns: nothing
// source: design of the graph
CREATE CONSTRAINT job_key IF NOT EXISTS FOR (j:Job) REQUIRE j.key IS UNIQUE;
CREATE INDEX job_first_seen_at IF NOT EXISTS FOR (j:Job) ON (j.firstSeenAt);
CREATE INDEX job_changed_at IF NOT EXISTS FOR (j:Job) ON (j.changedAt);
CREATE INDEX job_gone_at IF NOT EXISTS FOR (j:Job) ON (j.goneAt);
CREATE INDEX job_feed_next_visit_at IF NOT EXISTS FOR (p:JobFeed) ON (p.nextVisitAt);
