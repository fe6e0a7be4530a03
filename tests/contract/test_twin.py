"""The twin fetches the pages that the frontier in Neo4j gives out, in their order."""

import sys
from pathlib import Path

import pytest
from worlds import Neo4jWorld

pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from ordering import jobs, product
from ordering.run import scorer
from ordering.twin import TaskWeb

from graphcrawl.crawl.ordering import Ordering
from graphcrawl.recorded import RecordOptions
from graphcrawl.replay import Replay, ReplayOptions
from graphcrawl.scoring.candidate import Candidate

PAGES = 40  # of the tiny web; tests/unit/test_replay.py crawls all of it by the memory frontier


class Untied:
    """An order in which no two pages are equal: what comes first of equals is not promised."""

    wants_cues = learns = True

    def __init__(self, order) -> None:
        self.order = order
        self.learn = order.learn

    def score(self, candidates: list[Candidate]) -> list[float]:
        scores = self.order.score(candidates)
        return [score - 1e-9 * one.number for score, one in zip(scores, candidates, strict=True)]


@pytest.fixture(scope="module")
def tiny() -> TaskWeb:
    return TaskWeb(*jobs.build(jobs.TINY_SEED, jobs.TINY_SIZE))


@pytest.mark.parametrize("name", ["bfs", "reward", "composite"])
async def test_twin_fetches_in_the_order_of_the_frontier_in_neo4j(
    tiny: TaskWeb, neo4j_world: Neo4jWorld, name: str
) -> None:
    learns = name != "bfs"
    order, twins = (Untied(scorer(name)) if learns else scorer(name) for _ in range(2))
    ordering = Ordering(order, depends_on_facts=learns)
    neo4j_world.order_by(RecordOptions(facts=True, cues=True), ordering.score)
    frontier = neo4j_world.frontier("w", ordering.rescored)
    expected = await product.crawl(tiny, frontier, ordering, PAGES)
    options = ReplayOptions(rescore_pages=16 if learns else 0)
    done = Replay(tiny, twins, tiny.task.seeds.tolist(), options).run(PAGES)
    assert len(expected) == PAGES
    assert done == expected
