// Identity, frontier and leases
// mode: schema
// params: none
// returns: nothing
// source: [000.graph] [000.order]
CREATE CONSTRAINT page_neuron_url IF NOT EXISTS FOR (p:PageNeuron) REQUIRE p.url IS UNIQUE;
CREATE CONSTRAINT host_name IF NOT EXISTS FOR (h:Host) REQUIRE h.name IS UNIQUE;
CREATE CONSTRAINT origin_key IF NOT EXISTS FOR (o:Origin) REQUIRE o.key IS UNIQUE;
CREATE CONSTRAINT crawl_id IF NOT EXISTS FOR (c:Crawl) REQUIRE c.id IS UNIQUE;
CREATE CONSTRAINT meta_graph IF NOT EXISTS FOR (m:Meta) REQUIRE m.graph IS UNIQUE;
CREATE CONSTRAINT write_gate_name IF NOT EXISTS FOR (g:WriteGate) REQUIRE g.name IS UNIQUE;
CREATE INDEX host_best_priority IF NOT EXISTS FOR (h:Host) ON (h.bestPriority);
CREATE INDEX frontier_host_priority IF NOT EXISTS FOR (p:Frontier) ON (p.host, p.priority);
CREATE INDEX leased_until IF NOT EXISTS FOR (p:Leased) ON (p.leasedUntil);
CREATE INDEX job_feed_digest IF NOT EXISTS FOR (p:JobFeed) ON (p.digest);
