"""Pruning beside a crawl: the size is held, nothing has a double effect, tombstones go in time."""

import asyncio
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from neurons import Database, database
from outcomes import given_back, link, page_of
from worlds import Neo4jWorld

from graphcrawl import where
from graphcrawl.frontier import Seed
from graphcrawl.graph import Graph
from graphcrawl.rewards import Keeper, KeepLimits, TombstoneRule, prune, undo
from graphcrawl.rewards.spread import below_which, richest_but

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from sixty_days import Simulation

NO_ONE_SPARED = {"spareDistributions": 0, "spareMs": 0, "byStrength": False}
ALL_GO = TombstoneRule(per_neuron=0.0, always=0)


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


async def test_the_threshold_is_that_of_sorting(
    graph: Graph, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a span has to be split again, and where many are equal."""
    monkeypatch.setattr("graphcrawl.rewards.spread._SORTED", 3)
    rng = random.Random(3)
    rewards = [rng.choice([0.0, -1.0, 0.25, 7.0, rng.random(), 1e-12]) for _ in range(400)]
    db.build(rewards, [])
    ranked = sorted(rewards, reverse=True)
    for keep in (1, 2, 57, 200, 333, 399, 400):
        assert await richest_but(graph, keep) == ranked[keep - 1]
    assert await richest_but(graph, 401) is None
    for count in (1, 100, 250, 400):
        below = await below_which(graph, count, NO_ONE_SPARED)
        assert below is not None
        assert sum(reward < below for reward in rewards) >= count
        poorest = ranked[-count]
        assert below <= (poorest * 1.06 if poorest > 0 else 1e-300)


async def test_a_graph_is_held_at_its_size(graph: Graph, db: Database, tmp_path: Path) -> None:
    db.build([float(i) for i in range(200)], [(199, i, 1.0) for i in range(150)])
    db.set(0, ":Seed")
    keeper = Keeper(graph, KeepLimits(keep=100), tmp_path)
    report = await keeper.settle()
    assert 96 <= report.size <= 103
    assert report.neurons == 200 - report.size
    assert db.miscounted() == []
    kept = db.run("MATCH (p) WHERE p:PageNeuron AND NOT p:Pruned RETURN min(p.reward) AS r")
    assert kept == [{"r": 0.0}]  # the seed
    assert (await keeper.settle()).neurons == report.neurons


async def test_newborns_are_spared_unless_much_richer_ones_would_go(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    left = "MATCH (p:Frontier) WHERE NOT p:Pruned RETURN count(p) AS n"

    async def newborns(scale: float, keep: int) -> int:
        """Of 60 newborns with 100 points and more, and 40 others that are `scale` times richer."""
        db.build([100.0 + i for i in range(60)] + [scale * (101.0 + i) for i in range(40)], [])
        born = "MATCH (p:PageNeuron) WHERE p.neuronId < 60 SET p:Frontier, p.discoveredAt = $now"
        db.run(born, now=now)
        report = await Keeper(graph, KeepLimits(keep=keep), tmp_path).settle()
        assert report.size <= 1.03 * keep
        n: int = db.run(left)[0]["n"]
        return n

    assert await newborns(1.2, 70) == 60
    assert await newborns(9.0, 70) < 30  # all 40 others stay
    assert await newborns(1.2, 30) < 32  # there are not enough others


async def test_a_fifth_is_left_to_pages_that_wait(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """Though all of them are poorer than what was fetched: a crawl without any would end."""
    db.build([float(i) for i in range(200)], [])
    db.run("MATCH (p:PageNeuron) WHERE p.reward < 50 SET p:Frontier, p.discoveredAt = datetime()")
    report = await Keeper(graph, KeepLimits(keep=100), tmp_path).settle()
    assert report.size == 96
    [waiting] = db.run("MATCH (p:Frontier) RETURN count(p) AS n, min(p.reward) AS least")
    assert waiting["n"] == 20
    assert waiting["least"] > 28


async def test_two_keepers_at_once_take_no_more_than_one(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """Such as when the duty passes on while a slow keeper is still in a step."""
    axons = [(199, i, 1.0) for i in range(150)] + [(i, i + 1, 0.5) for i in range(149)]
    db.build([float(i) for i in range(200)], axons)
    before = db.everything()
    first, second = (Keeper(graph, KeepLimits(keep=100), tmp_path / name) for name in "ab")
    done = await asyncio.gather(first.settle(), second.settle())
    living = 200 - db.run("MATCH (p:Pruned) RETURN count(p) AS n")[0]["n"]
    assert 96 <= living <= 103
    assert sum(report.neurons for report in done) == 200 - living  # none counts twice
    assert db.miscounted() == []
    archives = sorted(tmp_path.rglob("*.parquet"))
    for archive in archives + archives:  # again: the other end of an axon may have come later
        await undo(graph, archive)
    assert db.everything() == before


async def test_old_tombstones_go_oldest_first(graph: Graph, db: Database, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    db.build([float(i) for i in range(20)], [])
    for number in range(12):
        db.run("MATCH (p:PageNeuron {neuronId: $n}) REMOVE p.reward SET p:Pruned", n=number)
        db.set(number, prunedAt=now - timedelta(days=number), prunedBelow=1.0)
    db.run("MATCH (p {neuronId: 11}) CREATE (p)-[:LISTS]->(:Job {key: 'j'})")  # a job hangs on it
    rule = TombstoneRule(per_neuron=0.5, age_s=8.5 * 86400, always=0)
    report = await prune(graph, below=0.0, archive_dir=tmp_path, tombstone_rule=rule)
    assert report.tombstones == 8  # two by age, six as 8 neurons are let have 4
    rows = db.run("MATCH (p:Pruned) RETURN p.neuronId AS n ORDER BY n")
    assert [row["n"] for row in rows] == [0, 1, 2, 11]
    db.run("MATCH (j:Job) DETACH DELETE j")


async def test_undo_after_the_tombstones_are_gone_and_of_a_part(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([9.0, 0.001, 0.002, 0.003], [(0, 1, 1.0), (0, 2, 0.5), (3, 2, 1.0)])
    db.set(2, ":Fetched", fetchedAt=datetime(2020, 1, 1, tzinfo=UTC), title="Nurse")
    before = db.everything()
    report = await prune(graph, archive_dir=tmp_path, tombstone_rule=ALL_GO)
    assert (report.neurons, report.tombstones, report.archive is None) == (3, 3, False)
    assert report.archive is not None
    some = await undo(graph, report.archive, where.parse(["title~nurse state=fetched reward<1"]))
    assert (some.neurons, some.axons, some.left_out) == (1, 1, 2)
    assert len(db.rewards()) == 2
    rest = await undo(graph, report.archive)
    assert (rest.neurons, rest.present, rest.left_out) == (2, 1, 0)
    assert db.everything() == before
    assert db.miscounted() == []


async def test_claims_records_and_pruning_at_once(neo4j_world: Neo4jWorld, tmp_path: Path) -> None:
    """Two crawlers lease and record while the graph is held at a size: no lease is lost."""
    graph, rng = neo4j_world.graph, random.Random(8)
    ended, lost, fetched = asyncio.Event(), 0, 0
    urls = [f"http://h{n % 20}.example/{n}" for n in range(600)]
    keeper = Keeper(graph, KeepLimits(keep=80), tmp_path)

    async def crawl(worker: str) -> None:
        nonlocal lost, fetched
        frontier = neo4j_world.frontier(worker)
        for done in range(200):
            if done >= 12 and keeper.report.neurons > 60:  # both have met often enough
                return
            claims = await frontier.claim(pages=6, per_host=1, lease_s=600)
            pages = [
                page_of(c, neo4j_world.clock, [link(u) for u in rng.sample(urls, 8) if u != c.url])
                for c in claims
            ]
            report = await frontier.record(pages, given_back(claims))
            lost += len(report.refused)
            fetched += len(claims)

    async def hold() -> None:
        while not ended.is_set():
            await keeper.settle()

    await neo4j_world.frontier("s").seed(
        [Seed(f"http://h{n}.example/", f"h{n}.example", 100.0) for n in range(20)]
    )
    holding = asyncio.create_task(hold())
    await asyncio.gather(crawl("a"), crawl("b"))
    ended.set()
    await holding
    assert lost == 0
    assert fetched > 60
    assert keeper.report.neurons > 60
    assert (await keeper.settle()).size <= 83
    with database(graph.address) as db:
        assert db.miscounted() == []
        assert db.run("MATCH (p:Pruned)-[:LINK_AXON]-() RETURN p.url") == []
        assert db.run("MATCH (p:Pruned) WHERE p:Leased OR p:Frontier RETURN p.url AS u") == []


async def test_sixty_days_end_within_a_tenth_of_the_size(graph: Graph, tmp_path: Path) -> None:
    """The benchmark `sixty_days.py`, small: a crawl of every sixth day."""
    simulation = Simulation(graph, tmp_path, keep=150, pages_a_day=12, seed=4, tombstones_always=50)
    days = [await simulation.day(number) for number in range(0, 60, 6)]
    late = [day["neurons"] for day in days[3:]]
    assert min(late) >= 135
    assert max(late) <= 165
    assert max(day["tombstones"] for day in days) <= 300
    assert days[-1]["pruned_share"] > 0.5
    assert days[-1]["visits"] == 120  # the crawl never stood still
