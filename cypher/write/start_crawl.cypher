// Note that a run begins
// mode: write
// params: $id STRING of the run
//         $settings STRING as JSON
//         $rulesDigest STRING of the rules it grants by
//         $order STRING which page comes next = "reward"
//         $rewardMode STRING how reward flows = "neural"
//         $worker STRING its name = ""
//         $partOf STRING id of the crawl whose worker it is; null: of none = null
//         $maxPages INTEGER that it and its workers may ask for together; null: each has its own limit = null
//         $nowMs INTEGER milliseconds since 1970, for tests = null
// returns: nothing
// source: design of the graph
WITH datetime({epochMillis: coalesce($nowMs, timestamp())}) AS now
MERGE (c:Crawl {id: $id})
SET c.startedAt = now, c.beatAt = now, c.settings = $settings,
    c.rulesDigest = $rulesDigest, c.worker = $worker, c.partOf = $partOf, c.maxPages = $maxPages,
    c.order = $order, c.rewardMode = $rewardMode,
    c.fetched = 0, c.redirected = 0, c.failed = 0, c.excluded = 0, c.putOff = 0, c.neurons = 0, c.axons = 0,
    c.granted = 0.0, c.paid = 0.0, c.minted = 0.0, c.feeds = 0
