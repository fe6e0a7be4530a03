"""Pruning on a real Neo4j: who goes, who stays, and that undoing brings everything back."""

import asyncio
import sys
from collections.abc import Awaitable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from neurons import Database, database

from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.graph import Graph
from graphcrawl.rewards import PruneReport, preview, prune, undo

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def labels(db: Database) -> list[set[str]]:
    rows = db.run("MATCH (p:PageNeuron) RETURN labels(p) AS labels ORDER BY p.neuronId")
    return [set(row["labels"]) - {"PageNeuron"} for row in rows]


def build_mixed(db: Database) -> None:
    """0 and 1 are rich; 2…6 poor but spared; 7 fetched, 8 waiting, 9 excluded and poor."""
    db.build(
        [5.0, 0.01, *[0.001] * 5, 0.009, 0.005, 0.002],
        [
            (0, 7, 1.0),
            (7, 0, 0.5),
            (7, 8, 1.0),
            (8, 9, 0.25),
            (0, 9, 1.0),
            (0, 1, 1.0),
            (3, 7, 0.5),
        ],
    )
    now = datetime.now(UTC)
    db.set(0, ":Fetched", fetchedAt=LONG_AGO)
    db.set(2, ":Seed:Fetched")
    db.set(3, ":Leased", leasedBy="w", token=7)
    db.set(4, ":Fetched:JobFeed", feedUrl="http://h.example/4")
    db.set(5, ":Fetched", feedUrl="http://h.example/4")
    db.set(6, ":Frontier", discoveredAt=now, bornAt=4, priority=0.001)
    db.set(7, ":Fetched", fetchedAt=LONG_AGO, title="Żółć", grants=["1 job text"], bytes=2**40)
    db.set(8, ":Frontier", discoveredAt=LONG_AGO, bornAt=6, priority=0.005)
    db.set(9, ":Excluded", reason="scope")
    db.run(
        "MATCH (p:PageNeuron {neuronId: 7}) "
        "CREATE (p)-[:HAS_TEXT]->(:PageText {title: 'Żółć', text: 'words', anchors: ['a', 'b']})"
    )
    db.run("MERGE (h:Host {name: 'h.example'}) SET h.bestPriority = 0.005")
    db.run("MATCH (m:Meta) SET m.distributions = 6")


async def test_preview_counts_and_changes_nothing(graph: Graph, db: Database) -> None:
    build_mixed(db)
    before = db.everything()
    seen = await preview(graph)
    assert (seen.neurons, seen.axons) == (3, 6)
    assert seen.spared_by_reason == {"seed": 1, "leased": 1, "feed": 2, "newborn": 1}
    assert [poor.reward for poor in seen.poorest] == [0.002, 0.005, 0.009]
    assert [poor.url[-1] for poor in seen.richest] == ["7", "8", "9"]
    assert db.everything() == before


async def test_prune_leaves_tombstones(graph: Graph, db: Database, tmp_path: Path) -> None:
    build_mixed(db)
    report = await prune(graph, archive_dir=tmp_path)
    assert (report.neurons, report.axons, report.changed) == (3, 6, 0)
    assert list(tmp_path.glob("*.parquet")) == [report.archive]
    assert [n for n, names in enumerate(labels(db)) if "Pruned" in names] == [7, 8, 9]
    assert all(names == {"Pruned"} for names in labels(db)[7:])
    tomb = db.run("MATCH (p:Pruned {neuronId: 7}) RETURN properties(p) AS p")[0]["p"]
    assert tomb.keys() == {"url", "neuronId", "host", "prunedAt", "prunedBelow", "fetchedAt"}
    assert tomb["prunedBelow"] == 0.01
    assert tomb["fetchedAt"].to_native() == LONG_AGO
    unfetched = db.run("MATCH (p:Pruned {neuronId: 8}) RETURN properties(p) AS p")[0]["p"]
    assert "fetchedAt" not in unfetched
    assert db.run("MATCH (t:PageText) RETURN count(t) AS n") == [{"n": 0}]
    assert db.miscounted() == []
    assert db.run("MATCH (h:Host) RETURN h.bestPriority AS b") == [{"b": 0.001}]
    again = await prune(graph, archive_dir=tmp_path)
    assert (again.neurons, again.archive) == (0, None)
    assert len(list(tmp_path.glob("*.parquet"))) == 1


async def test_undo_brings_everything_back_once(graph: Graph, db: Database, tmp_path: Path) -> None:
    build_mixed(db)
    before = db.everything()
    report = await prune(graph, archive_dir=tmp_path)
    assert report.archive is not None
    done = await undo(graph, report.archive)
    assert (done.neurons, done.axons, done.present) == (3, 6, 0)
    assert db.everything() == before
    assert db.run("MATCH (h:Host) RETURN h.bestPriority AS b") == [{"b": 0.005}]
    again = await undo(graph, report.archive)
    assert (again.neurons, again.axons, again.present) == (0, 0, 3)
    assert db.everything() == before


async def test_random_graphs_survive_prune_and_undo(
    graph: Graph, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two prunes, undone in the wrong order, with axons within, between and across both."""
    monkeypatch.setattr(sys.modules["graphcrawl.rewards.archive"], "BATCH", 7)
    rng = np.random.default_rng(5)
    n = 120
    pairs = {(int(s), int(t)) for s, t in rng.integers(0, n, (900, 2)) if s != t}
    db.build(rng.random(n).tolist(), [(s, t, float(rng.choice([1, 0.5, 0.25]))) for s, t in pairs])
    before = db.everything()
    archives = []
    for below in (0.3, 0.6):
        seen = await preview(graph, below=below)
        report = await prune(graph, below=below, archive_dir=tmp_path)
        assert (report.neurons, report.axons) == (seen.neurons, seen.axons)
        assert report.neurons > 20
        assert db.miscounted() == []
        archives.append(report.archive)
    for archive in (*archives, archives[0]):  # the first lacks axons to what is still pruned
        assert archive is not None
        await undo(graph, archive)
        assert db.miscounted() == []
    assert db.everything() == before


async def test_keep_leaves_the_richest(graph: Graph, db: Database, tmp_path: Path) -> None:
    db.build([0.5, 0.1, 0.4, 0.2, 0.2], [])
    db.set(1, ":Seed")
    seen = await preview(graph, keep=2)
    assert (seen.below, seen.neurons, seen.spared_by_reason) == (0.4, 2, {"seed": 1})
    assert (await preview(graph, keep=3)).neurons == 0  # the third and fourth tie
    assert (await preview(graph, keep=6)).below is None
    await prune(graph, keep=2, archive_dir=tmp_path)
    assert [n for n, names in enumerate(labels(db)) if "Pruned" in names] == [3, 4]


@pytest.mark.parametrize(
    ("born_at", "age", "spare", "gone"),
    [
        (4, timedelta(0), 3, False),  # two distributions old
        (3, timedelta(0), 3, True),  # three
        (6, timedelta(hours=25), 3, True),  # too old for any
        (6, timedelta(hours=23), 3, False),
        (6, timedelta(0), 0, True),
    ],
)
async def test_waiting_newborns_are_spared(
    graph: Graph, db: Database, born_at: int, age: timedelta, spare: int, gone: bool
) -> None:
    db.build([0.0, 0.0], [])
    db.run("MATCH (m:Meta) SET m.distributions = 6")
    discovered = datetime.now(UTC) - age
    db.set(0, ":Frontier", bornAt=born_at, discoveredAt=discovered)
    db.set(1, ":Fetched", bornAt=born_at, discoveredAt=discovered)  # does not wait
    assert (await preview(graph, spare_distributions=spare)).neurons == 1 + gone


async def pruned_while(db: Database, work: Awaitable[PruneReport], change: str) -> PruneReport:
    """Prune while a recorder that came in between archiving and deletion changes something."""
    with db.transaction() as recorder:
        recorder.run("MATCH (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.ensure_future(work)
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(db.blocked):
                await asyncio.sleep(0.05)
        recorder.run(change).consume()
        recorder.commit()
    return await run


async def test_what_changes_after_archiving_is_kept(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """A claim, a grant, a fetch and a link come in while the deletion waits for the gate."""
    axons = [(0, n, 1.0) for n in range(1, 6)]
    db.build([9.0] + [0.001] * 5, axons)
    report = await pruned_while(
        db,
        prune(graph, archive_dir=tmp_path),
        "MATCH (p:PageNeuron) WITH p ORDER BY p.neuronId WITH collect(p) AS ps "
        "WITH ps[0] AS r, ps[1] AS a, ps[2] AS b, ps[3] AS c, ps[4] AS d "
        "SET a:Leased, b.reward = 20.0, c:Fetched, c.fetchedAt = datetime() "
        "CREATE (d)-[:LINK_AXON {weight: 0.5}]->(r) "
        "SET d.strength = 1.5, r.strength = r.strength + 0.5, r.inLinks = 1",
    )
    assert (report.neurons, report.axons, report.changed) == (1, 1, 4)
    assert [n for n, names in enumerate(labels(db)) if "Pruned" in names] == [5]
    assert db.miscounted() == []
    assert report.archive is not None
    done = await undo(graph, report.archive)
    assert (done.neurons, done.axons, done.present) == (1, 1, 4)
    assert db.miscounted() == []


async def test_an_axon_that_was_replaced_after_archiving_keeps_its_neuron(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """As many axons as before, but one leads elsewhere. Fewer of them are no reason to stay."""
    db.build([9.0, 0.001, 0.002, 8.0], [(0, 1, 1.0), (0, 2, 1.0), (3, 2, 1.0)])
    report = await pruned_while(
        db,
        prune(graph, archive_dir=tmp_path),
        "MATCH (p:PageNeuron) WITH p ORDER BY p.neuronId WITH collect(p) AS ps "
        "WITH ps[0] AS a, ps[1] AS b, ps[2] AS c, ps[3] AS d "
        "MATCH (a)-[old:LINK_AXON]->(b) MATCH (d)-[cut:LINK_AXON]->(c) DELETE old, cut "
        "CREATE (d)-[:LINK_AXON {weight: 1.0}]->(b) "
        "SET a.strength = 1.0, d.inLinks = 0, d.strength = 1.0, c.strength = 1.0, c.inLinks = 1",
    )
    assert (report.neurons, report.axons, report.changed) == (1, 1, 1)
    assert [n for n, names in enumerate(labels(db)) if "Pruned" in names] == [2]
    assert db.miscounted() == []


async def test_a_page_leased_at_the_same_moment_is_kept(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """The claim has locked the page and not committed when the deletion comes to it."""
    db.build([0.001], [])
    db.set(0, ":Frontier", priority=0.001, discoveredAt=LONG_AGO)
    with db.transaction() as claim:
        claim.run("MATCH (p:Frontier) REMOVE p:Frontier SET p:Leased, p.token = 1").consume()
        run = asyncio.create_task(prune(graph, archive_dir=tmp_path))
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(db.blocked):
                await asyncio.sleep(0.05)
        claim.commit()
    assert (await run).neurons == 0
    assert labels(db) == [{"Leased"}]


async def test_a_neuron_born_again_stays_as_it_is(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([9.0, 0.001], [(0, 1, 1.0)])
    report = await prune(graph, archive_dir=tmp_path)
    db.run(
        "MATCH (p:Pruned) REMOVE p:Pruned, p.prunedAt, p.prunedBelow "
        "SET p:Frontier, p.reward = 3.0, p.strength = 0.0, p.inLinks = 0"
    )
    assert report.archive is not None
    done = await undo(graph, report.archive)
    assert (done.neurons, done.axons, done.present) == (0, 1, 1)
    assert db.rewards() == [9.0, 3.0]
    assert db.miscounted() == []


async def test_an_archive_of_another_graph_is_refused(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([0.001], [])
    report = await prune(graph, archive_dir=tmp_path)
    assert report.archive is not None
    name = db.run("MATCH (m:Meta) RETURN m.graph AS name")[0]["name"]
    db.run("MATCH (m:Meta) SET m.graph = 'another'")
    with pytest.raises(UsageError, match=f"was taken from the graph '{name}', not 'another'"):
        await undo(graph, report.archive)
    assert labels(db) == [{"Pruned"}]


async def test_nothing_is_deleted_without_an_archive(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([0.001], [])
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    with pytest.raises(GraphcrawlError, match="Nothing was pruned"):
        await prune(graph, archive_dir=blocker)
    assert labels(db) == [set()]


@pytest.mark.parametrize(
    "limits", [{"below": float("nan")}, {"keep": 0}, {"spare_s": -1.0}, {"spare_distributions": -1}]
)
async def test_wrong_limits_are_refused(graph: Graph, limits: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        await preview(graph, **limits)  # type: ignore[arg-type]
