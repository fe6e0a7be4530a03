"""Other orders, tried on what was crawled: how soon each would have found what it is worth.

Every order starts from the same seeds and can find only what the graph's own crawls have fetched,
so all end alike; what counts is how soon. There is no politeness: one page comes after the other.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import get_args

from graphcrawl.config import Settings
from graphcrawl.crawl.run_order import keywords_for
from graphcrawl.crawled import CrawledWeb
from graphcrawl.errors import UsageError, did_you_mean
from graphcrawl.facts import DAMPING
from graphcrawl.replay import Axons, Flow, Replay, ReplayOptions
from graphcrawl.scoring.orders import OrderName, order_of
from graphcrawl.scoring.quality import Quality
from graphcrawl.scoring.reward import load_rules

CRAWLED = "as crawled"
POINTS = 100  # of a curve
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # of the pages, at which harvests are told
RANK_ROUNDS = 20  # of PageRank
FLOWS = 50  # of reward in a replay, at most, so that large graphs end


@dataclass(frozen=True, slots=True)
class Point:
    """How far an order has come after some pages."""

    pages: int
    worth: float  # found so far, in pages' worth
    feeds: int


@dataclass(frozen=True, slots=True)
class Harvest:
    """What an order finds, and how soon."""

    order: str
    pages: int  # that it reaches
    worth: float  # of them all
    feeds: int
    auc: float  # area under the curve of worth, 0 to 1: 1 if all came first, 0.5 if evenly
    shares: dict[str, float]  # share of all worth after a share of all pages
    half_feeds: int | None  # pages until half of all job feeds were found; None: never, or none is
    all_feeds: int | None  # until the last one
    curve: tuple[Point, ...]


def read_orders(text: str) -> tuple[OrderName, ...]:
    """Read names of orders, separated by commas.

    Raises:
        UsageError: One is none, or there are none.
    """
    wanted = dict.fromkeys(word for part in text.split(",") if (word := part.strip()))
    known: dict[str, OrderName] = {name: name for name in get_args(OrderName)}
    unknown = next((name for name in wanted if name not in known), None)
    if unknown is not None or not wanted:
        wrong = "No order is named." if unknown is None else f"{unknown!r} is no order."
        near = did_you_mean(unknown or "", known)
        raise UsageError(wrong, f"{near}Orders to simulate: {', '.join(known)}")
    return tuple(known[name] for name in wanted)


def simulate(
    web: CrawledWeb,
    orders: Sequence[OrderName],
    settings: Settings,
    *,
    reward_mode: str = "neural",
    on_order: Callable[[str], None] = lambda _: None,
) -> tuple[Harvest, ...]:
    """Return how the graph was crawled, and how each order would have done, the best first.

    Args:
        web: What was fetched.
        orders: What to try.
        settings: Weights, lots and how quality is learned, as a crawl would have them.
        reward_mode: How reward flows in the graph: neural or steady.
        on_order: Told the name of each before it is tried.
    """
    rules, reward = load_rules(settings.crawl.rules), settings.reward
    options = ReplayOptions(
        rescore_pages=settings.order.rescore_pages,
        newborn=reward.damping if reward_mode == "steady" else reward.newborn,
        seed_reward=reward.seed,
        feed_new=rules.feed_new,
        feed_known=rules.feed_known,
        flow=steady_flow(reward.damping)
        if reward_mode == "steady"
        else neural_flow(reward.distribute, reward.forget),
        flow_pages=max(100, len(web) // FLOWS),
    )
    found = [harvest_of(CRAWLED, web, range(len(web)))]
    for name in orders:
        on_order(name)
        order = order_of(
            name,
            weights=settings.order.weights,
            keywords=keywords_for(settings, rules),
            explore=settings.order.explore,
            seed=settings.order.seed,
            quality=Quality.of(settings.quality),
        )
        own = replace(options, rank=page_rank) if name == "pagerank" else options
        pages = Replay(web, order, web.seeds, own).run(len(web))
        found.append(harvest_of(name, web, pages))
    return tuple(sorted(found, key=lambda harvest: -harvest.auc))


def harvest_of(order: str, web: CrawledWeb, pages: Sequence[int]) -> Harvest:
    """Return the harvest of pages in the order in which they are fetched.

    Args:
        order: Its name.
        web: The pages.
        pages: Their numbers.
    """
    whole = sum(page.worth for page in web.found) or 1.0
    worths = [web.found[page].worth for page in pages]
    feeds = [int(web.found[page].feed >= 0) for page in pages]
    sums, counts = [0.0], [0]
    for worth, feed in zip(worths, feeds, strict=True):
        sums.append(sums[-1] + worth)
        counts.append(counts[-1] + feed)
    size = len(web)
    missing = size - len(pages)  # it never reaches them
    area = sum((a + b) / 2 for a, b in pairwise(sums)) + missing * sums[-1]
    every = max(1, math.ceil(size / POINTS))
    known = sum(page.feed >= 0 for page in web.found)
    marks = sorted({*range(0, len(pages) + 1, every), len(pages)})
    after = {f"{share:g}": min(math.ceil(share * size), len(pages)) for share in SHARES}
    return Harvest(
        order=order,
        pages=len(pages),
        worth=sums[-1],
        feeds=counts[-1],
        auc=area / (whole * size) if size else 0.0,
        shares={share: sums[place] / whole for share, place in after.items()},
        half_feeds=_pages_to(counts, math.ceil(known / 2)),
        all_feeds=_pages_to(counts, known),
        curve=tuple(Point(mark, sums[mark], counts[mark]) for mark in marks),
    )


def _pages_to(counts: Sequence[int], wanted: int) -> int | None:
    """Return after how many pages so many are found."""
    return bisect_left(counts, wanted) if 0 < wanted <= counts[-1] else None


def neural_flow(distribute: float, forget: float) -> Flow:
    """Return one distribution as `rewards.distribute` has it, in plain Python.

    Source: [000.distribute], [000.forget].
    """

    def flow(
        reward: list[float], base: list[float], strength: list[float], axons: Axons
    ) -> list[float]:
        del base
        kept = [(1 - forget) * points for points in reward]
        return _passed_on(kept, distribute, reward, strength, axons)

    return flow


def steady_flow(damping: float) -> Flow:
    """Return `r = (1 - δ) · Σ δʲ (Pᵀ)ʲ · base`, to a thousandth."""
    rounds = math.ceil(math.log(1e-3) / math.log(damping)) if damping > 1e-3 else 1

    def flow(
        reward: list[float], base: list[float], strength: list[float], axons: Axons
    ) -> list[float]:
        kept = [(1 - damping) * points for points in base]
        now = kept
        for _ in range(rounds):
            now = _passed_on(kept, damping, now, strength, axons)
        return now

    return flow


def page_rank(
    rank: list[float], _base: list[float], _strength: list[float], axons: Axons
) -> list[float]:
    """Return the PageRank of all pages, as `order/pagerank` has it.

    Source: Page, Brin, Motwani, Winograd, "The PageRank citation ranking" (1999).
    """
    links = [0] * len(rank)
    for source in axons.sources:
        links[source] += 1
    now = [1.0] * len(rank)
    for _ in range(RANK_ROUNDS):
        after = [1 - DAMPING] * len(rank)
        for source, target in zip(axons.sources, axons.targets, strict=True):
            after[target] += DAMPING * now[source] / links[source]
        now = after
    return now


def _passed_on(
    kept: list[float], share: float, reward: list[float], strength: list[float], axons: Axons
) -> list[float]:
    """Return what pages keep and what neighbours pass on to them, by the weights of axons."""
    passed = [
        share * points / weight if weight > 0 else 0.0
        for points, weight in zip(reward, strength, strict=True)
    ]
    after = list(kept)
    for source, target, weight in zip(axons.sources, axons.targets, axons.weights, strict=True):
        after[target] += passed[source] * weight
        after[source] += passed[target] * weight
    return after
