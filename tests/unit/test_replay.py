"""The twin fetches the pages that the product's own frontier and ordering fetch, in their order."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from ordering import jobs, product
from ordering.run import crawl, scorer
from ordering.twin import TaskWeb

from graphcrawl.crawl.ordering import Ordering
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.memory import MemoryGraph
from graphcrawl.recorded import RecordOptions
from graphcrawl.replay import Replay, ReplayOptions

LEARNING = ("reward", "topic", "opic", "quality", "composite")


class Untied:
    """An order in which no two pages are equal: what comes first of equals is not promised."""

    wants_cues = learns = True

    def __init__(self, order):
        self.order = order
        self.learn = order.learn

    def score(self, candidates):
        scores = self.order.score(candidates)
        return [score - 1e-9 * one.number for score, one in zip(scores, candidates, strict=True)]


@pytest.fixture(scope="module")
def tiny() -> TaskWeb:
    return TaskWeb(*jobs.build(jobs.TINY_SEED, jobs.TINY_SIZE))


@pytest.mark.parametrize("name", ["bfs", "dfs", "random", *LEARNING])
async def test_twin_fetches_in_the_order_of_the_product(tiny, name):
    """The whole web, so what redirects and what is found twice is in it."""
    learns = name in LEARNING
    wrap = Untied if learns else lambda order: order
    ordering = Ordering(wrap(scorer(name)), depends_on_facts=learns)
    graph = MemoryGraph(
        options=RecordOptions(facts=True, cues=True),
        now_ms=lambda: 1_800_000_000_000,
        score=ordering.score,
    )
    frontier = MemoryFrontier(graph, "w", ordering.rescored)
    expected = await product.crawl(tiny, frontier, ordering, len(tiny))
    options = ReplayOptions(rescore_pages=16 if learns else 0)
    done = Replay(tiny, wrap(scorer(name)), tiny.task.seeds.tolist(), options).run(len(tiny))
    assert len(done) == len(expected) == len(tiny)
    pairs = zip(done, expected, strict=True)
    first = next((place for place, (twin, own) in enumerate(pairs) if twin != own), None)
    assert first is None, f"page {first}: {done[first]} instead of {expected[first]}"


def test_floors(tiny):
    """Floors of the order at a small size, with a margin of one feed of seven (0.143)."""
    floors = {"composite": (0.28, 0.85), "reward": (0.14, 0.71)}
    for name, (at_5, at_20) in floors.items():
        figures = crawl(tiny, name, len(tiny) // 5 + 1).figures
        assert figures["share_at_5%"] >= at_5, name
        assert figures["share_at_20%"] >= at_20, name
    assert crawl(tiny, "bfs", len(tiny) // 5 + 1).figures["share_at_20%"] < 0.5


def test_batches_and_limits(tiny):
    """Several pages in flight change the order, not the rules: each page once, as many as asked."""
    options = replace(ReplayOptions(), batch=16)
    done = Replay(tiny, scorer("reward"), tiny.task.seeds.tolist(), options).run(100)
    assert len(done) == len(set(done)) == 100
