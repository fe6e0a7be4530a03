"""The crawl loop: claim → fetch → parse → score → record, with a budget and an orderly stop.

    feeder ──claims──▶ lanes (one a host: politeness) ──bodies──▶ readers ──pages──▶ writer
       ▲                                                                               │
       └───────────────────────── what was recorded is news for the order ◀────────────┘

`loop` holds the tasks, `lanes` the pace of each host, `writer` the batches, `stats` the counters.
"""

from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.plan import Beside, Plan
from graphcrawl.crawl.stats import Stats

__all__ = ["Beside", "Crawl", "Plan", "Stats"]
