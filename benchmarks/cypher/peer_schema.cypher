// Give the pages of the peer crawler their constraint
// mode: schema
// params: none
// returns: nothing
// source: a benchmark
CREATE CONSTRAINT peer_page IF NOT EXISTS FOR (p:Page) REQUIRE p.url IS UNIQUE
