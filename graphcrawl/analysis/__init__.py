"""The crawled graph as pandas DataFrames, for notebooks and programs. All of it only reads.

    from graphcrawl import analysis

    graph = await analysis.open_crawled("nurses")
    print((await analysis.size(graph)).told)
    best = await analysis.pages(graph, "state=fetched", limit=100, columns=["url", "reward"])

`where` is the filter of `graphcrawl pages --where`; `limit` counts rows, and 0 means all; `columns`
names those that are wanted. Without a limit a frame of more than a million rows is refused. What
each column is and its unit: `PAGES`, `AXONS` and so on in `graphcrawl.columns`, and
`docs/ANALYSIS.md`. Plots of these frames: `graphcrawl.plots`.
"""

from graphcrawl.analysis.around import feeders, neighbourhood, orders
from graphcrawl.analysis.groups import degrees, depths, prune_previews, reward_bins
from graphcrawl.analysis.opened import Size, open_crawled, size
from graphcrawl.analysis.rows import axons, crawls, grants, harvest, hosts, pages, tombstones

__all__ = [
    "Size",
    "axons",
    "crawls",
    "degrees",
    "depths",
    "feeders",
    "grants",
    "harvest",
    "hosts",
    "neighbourhood",
    "open_crawled",
    "orders",
    "pages",
    "prune_previews",
    "reward_bins",
    "size",
    "tombstones",
]
