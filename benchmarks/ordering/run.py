"""One order on one task of a recorded web."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from graphcrawl.replay import Flow, Replay, ReplayOptions, Scorer
from graphcrawl.scoring.orders import keywords_of, order_of
from graphcrawl.scoring.quality import Quality
from graphcrawl.scoring.reward import load_rules
from ordering import peers
from ordering.flow import neural, pagerank, steady
from ordering.measure import measure
from ordering.twin import TaskWeb

ORDERS = ("composite", "reward", "quality", "topic", "bfs", "dfs", "random", "opic", "pagerank")
PEERS: dict[str, peers.Crawl] = {
    "best-first": peers.best_first,
    "frozen": peers.frozen,
    "shark": peers.shark,
    "oracle": peers.oracle,
}
LEARNERS = ("source-004", "batch-linear")
ALL = (*ORDERS, *PEERS, *LEARNERS)
FLOWS: dict[str, Flow | None] = {
    "none": None,
    "neural": neural(1),
    "neural-3": neural(3),
    "steady": steady(0.5),
}
_FIXED = frozenset({"bfs", "dfs", "random", "topic-once"})


def keywords_for(web: TaskWeb) -> Mapping[str, float]:
    """Return the words that a crawl of this web goes by, as `crawl.run_order.keywords_for` does.

    Where rules pay, theirs, since such a crawl has no topic; else none.
    """
    return keywords_of(load_rules("jobs")) if web.web.feed.any() else {}


class Result(NamedTuple):
    """What one crawl gave."""

    done: list[int]
    figures: dict[str, float]
    seconds: float


def scorer(name: str, seed: int = 0, keywords: Mapping[str, float] | None = None) -> Scorer:
    """Return an order of the product, or a peer that learns.

    Args:
        name: One of `ORDERS` or `LEARNERS`.
        seed: Of lots.
        keywords: Words that the blend goes by.
    """
    if name == "batch-linear":
        return peers.BatchLinear()
    if name == "source-004":
        return order_of("quality", quality=Quality(rule="source"))
    quality = Quality() if name in ("quality", "composite") else None
    return order_of(name, keywords=keywords, seed=seed, quality=quality)  # type: ignore[arg-type]


def options_of(name: str, flow: str = "neural", **changes: int) -> ReplayOptions:
    """Return how the twin goes on for an order."""
    if name in _FIXED:
        return ReplayOptions(rescore_pages=0)
    if name == "opic":
        return ReplayOptions(
            rescore_pages=1, heads=0, sweep=0, touched=1 << 30, least_change=0.0, least_matter=0.0
        )
    if name == "pagerank":
        return ReplayOptions(rank=pagerank(), flow_pages=changes.get("flow_pages", 200))
    wants = name in ("reward", "composite")
    return ReplayOptions(flow=FLOWS[flow] if wants else None, **changes)


def crawl(web: TaskWeb, name: str, pages: int, flow: str = "neural", **changes: int) -> Result:
    """Crawl a web by an order.

    Args:
        web: With its task.
        name: One of `ALL`.
        pages: How many are fetched.
        flow: How reward flows, one of `FLOWS`.
        changes: Of the twin's options.
    """
    begun = time.perf_counter()
    if name in PEERS:
        done, foretold = PEERS[name](web, pages), []
    else:
        options = options_of(name, flow, **changes)
        replay = Replay(
            web, scorer(name, keywords=keywords_for(web)), web.task.seeds.tolist(), options
        )
        done, foretold = replay.run(pages), replay.foretold
    seconds = time.perf_counter() - begun
    return Result(done, measure(web.web, web.task, done, foretold), seconds)
