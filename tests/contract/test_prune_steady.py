"""Pruning in steady mode goes by reward by strength: command, preview, and beside a crawl."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from neurons import Database, database

from graphcrawl.graph import Graph
from graphcrawl.rewards import Keeper, KeepLimits, preview, prune

# By strength: 0 has 1.5 / 30 = 0.05, each of 1 … 30 its reward (strength 1); 31 is linked to by a
# weak axon, and 32 by none: their reward itself counts. 33 has 1 / 100.25 of its reward of 1.
LEAVES = 30
REWARDS = [1.5, *[0.01 + 0.001 * n for n in range(1, 31)], 0.019, 0.03, 1.0]
AXONS = [(0, n, 1.0) for n in range(1, 31)] + [(33, 31, 0.25)]


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        db.build(REWARDS, AXONS)
        db.run(
            "UNWIND range(1, 100) AS n MATCH (p:PageNeuron {neuronId: 33})"
            " CREATE (q:PageNeuron {url: 'http://h.example/rich/' + n, neuronId: 1000 + n,"
            " host: 'h.example', reward: 10.0, strength: 1.0, inLinks: 1, baseReward: 0.0})"
            " CREATE (p)-[:LINK_AXON {weight: 1.0}]->(q) SET p.strength = p.strength + 1"
        )
        db.run("MATCH (m:Meta) SET m.rewardMode = 'steady'")
        yield db


def gone(db: Database) -> list[int]:
    rows = db.run("MATCH (p:Pruned) RETURN p.neuronId AS n ORDER BY n")
    return [row["n"] for row in rows]


async def test_the_preview_says_what_counts(graph: Graph, db: Database) -> None:
    found = await preview(graph)
    assert (found.below, found.by_strength) == (0.02, True)
    assert found.neurons == 11  # 0.011 … 0.019, the weakly linked one, and the hub
    assert [poor.url[-2:] for poor in found.poorest[:2]] == ["33", "/1"]
    assert found.poorest[0].reward == 1.0
    assert found.poorest[0].by_strength == pytest.approx(1 / 100.25)
    db.run("MATCH (m:Meta) SET m.rewardMode = 'neural'")
    neural = await preview(graph)
    assert (neural.below, neural.by_strength, neural.neurons) == (0.01, False, 0)


async def test_what_was_shown_goes_whatever_goes_before_it(
    graph: Graph, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub's strength falls with each neighbour that goes; what it had when archived counts."""
    monkeypatch.setattr("graphcrawl.rewards.archive.BATCH", 5)
    db.run("MATCH (p:PageNeuron {neuronId: 0}) SET p.reward = 0.5")  # 0.0167 by strength
    report = await prune(graph, archive_dir=tmp_path)
    assert (report.below, report.neurons, report.changed) == (0.02, 12, 0)
    assert gone(db) == [*range(10), 31, 33]
    assert db.run("MATCH (p:Pruned) RETURN DISTINCT p.prunedBelow AS b") == [{"b": 0.02}]
    assert db.miscounted() == []


async def test_the_richest_are_kept_by_strength(graph: Graph, db: Database, tmp_path: Path) -> None:
    report = await prune(graph, archive_dir=tmp_path, keep=132)
    assert report.neurons == 2
    assert gone(db) == [1, 33]


async def test_beside_a_crawl_too(graph: Graph, db: Database, tmp_path: Path) -> None:
    await Keeper(graph, KeepLimits(spare_distributions=0), tmp_path).settle()
    assert gone(db) == [*range(1, 10), 31, 33]
    await Keeper(graph, KeepLimits(keep=110, spare_distributions=0), tmp_path).settle()
    assert set(gone(db)) <= {*range(1, 34)} - {0}  # 0.05 a unit of strength, and the rich stay
