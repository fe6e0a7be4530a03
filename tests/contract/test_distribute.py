"""Reward distribution on a real Neo4j: exact against scipy, and safe beside a running crawl."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from neurons import Axon, Database, database
from resting import flow_matrix

from graphcrawl.errors import GdsMissingError, QueryError, UsageError
from graphcrawl.graph import Graph
from graphcrawl.rewards import choose_engine, distribute

ENGINES = ("gds", "cypher")
TOLERANCE = 1e-9


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def reference(
    rewards: Sequence[float], axons: Sequence[Axon], k: int = 1, d: float = 0.1, f: float = 0.1
) -> np.ndarray[Any, Any]:
    """Return `((1 - f) I + d Pᵀ)ᵏ r` by scipy's sparse matrices. Source: [000.distribute]."""
    n = len(rewards)
    p = flow_matrix(n, axons)
    r = np.array(rewards, dtype=float)
    for _ in range(k):
        r = (1 - f) * r + d * (p.T @ r)
    return r


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[float], list[Axon]]:
    n = draw(st.integers(2, 12))
    page = st.integers(0, n - 1)
    pairs = st.lists(st.tuples(page, page).filter(lambda p: p[0] != p[1]), max_size=30, unique=True)
    weight = st.sampled_from([1.0, 0.5, 0.25]) | st.floats(0.001, 10)
    reward = st.sampled_from([0.0, 0.001, 100.0]) | st.floats(0, 1e6)
    return (
        draw(st.lists(reward, min_size=n, max_size=n)),
        [(s, t, draw(weight)) for s, t in draw(pairs)],
    )


HUB = ([100.0] + [0.0] * 9, [(0, i, 1.0) for i in range(1, 7)] + [(7, 0, 0.25)])  # 8, 9 isolated
MUTUAL = ([3.0, 0.0, 5.0], [(0, 1, 1.0), (1, 0, 0.5), (1, 2, 0.25)])


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(graphs(), st.integers(1, 4), st.floats(0, 0.45), st.floats(0, 0.45))
@example(HUB, 1, 0.1, 0.1)
@example(MUTUAL, 3, 0.1, 0.1)
@example(MUTUAL, 2, 0.0, 0.1)
@example(MUTUAL, 2, 0.3, 0.0)
@example(([0.0, 0.0], [(0, 1, 1.0)]), 1, 0.1, 0.1)
async def test_both_engines_agree_with_scipy(
    graph: Graph,
    db: Database,
    pages: tuple[list[float], list[Axon]],
    k: int,
    d: float,
    f: float,
) -> None:
    rewards, axons = pages
    expected = reference(rewards, axons, k, d, f)
    db.build(rewards, axons)
    for engine in ENGINES:
        for number, reward in enumerate(rewards):
            db.set(number, reward=reward)
        report = await distribute(graph, iterations=k, distribute=d, forget=f, engine=engine)  # type: ignore[arg-type]
        assert report.engine == (engine if axons else "cypher")
        np.testing.assert_allclose(db.rewards(), expected, rtol=1e-12, atol=TOLERANCE)
        assert report.reward_before == pytest.approx(sum(rewards), rel=1e-12)
        assert report.reward_after == pytest.approx(expected.sum(), rel=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
async def test_total_reward_is_conserved(graph: Graph, db: Database, engine: str) -> None:
    rng = np.random.default_rng(7)
    n = 300
    source, target = rng.integers(0, n, 4000), (n * rng.random(4000) ** 3).astype(int)
    weight = rng.choice([1.0, 0.5, 0.25], n * n)
    pairs = {(int(s), int(t)) for s, t in zip(source, target, strict=True) if s != t}
    ring = {(i, (i + 1) % n) for i in range(n)}  # no page without axons
    axons = [(s, t, float(weight[s * n + t])) for s, t in sorted(pairs | ring)]
    rewards = rng.exponential(10, n).tolist()
    db.build(rewards, axons)
    report = await distribute(graph, iterations=5, engine=engine)  # type: ignore[arg-type]
    assert sum(filter(None, db.rewards())) == pytest.approx(sum(rewards), rel=1e-12)
    np.testing.assert_allclose(db.rewards(), reference(rewards, axons, 5), atol=TOLERANCE)
    assert (report.neurons, report.axons, report.iterations) == (n, len(axons), 5)


async def test_example_by_hand(graph: Graph, db: Database) -> None:
    """A gives 10 of its 100, three quarters of them to B; B and C give all of theirs back."""
    db.build([100.0, 0.0, 20.0], [(0, 1, 1.0), (1, 0, 0.5), (2, 0, 0.5)])
    await distribute(graph)
    assert db.rewards() == pytest.approx([92.0, 7.5, 20.5], abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
async def test_a_neuron_without_reward_starts_from_nothing(
    graph: Graph, db: Database, engine: str
) -> None:
    db.build([10.0, None], [(0, 1, 1.0)])
    await distribute(graph, engine=engine)  # type: ignore[arg-type]
    assert db.rewards() == pytest.approx([9.0, 1.0], abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
async def test_tombstones_take_no_part(graph: Graph, db: Database, engine: str) -> None:
    db.build([10.0, 5.0, None], [(0, 1, 1.0)])
    db.set(2, ":Pruned")
    report = await distribute(graph, engine=engine)  # type: ignore[arg-type]
    assert db.rewards()[2] is None
    assert report.neurons == 2


@pytest.mark.parametrize("rewards", [[], [0.0], [4.0, 2.0]])
async def test_a_graph_without_axons_only_forgets(
    graph: Graph, db: Database, rewards: list[float]
) -> None:
    db.build(rewards, [])
    report = await distribute(graph, forget=0.25)
    assert db.rewards() == [0.75 * reward for reward in rewards]
    assert (report.engine, report.why) == ("cypher", "there are no axons to project")


async def test_a_small_graph_is_done_before_gds_has_projected(graph: Graph, db: Database) -> None:
    db.build([10.0, 4.0], [(0, 1, 1.0)])
    report = await distribute(graph)
    why = "the graph is too small for a projection to pay"
    assert (report.engine, report.why) == ("cypher", why)
    assert (await distribute(graph, engine="gds")).engine == "gds"


@pytest.mark.parametrize(
    ("rewards", "d", "f", "why"),
    [
        ([10.0, -4.0], 0.1, 0.1, "PageRank takes no negative rewards"),
        ([10.0, 4.0], 0.5, 0.5, "PageRank cannot pass on more than stays"),
        ([10.0, 4.0], 0.9, 0.3, "PageRank cannot pass on more than stays"),
    ],
)
async def test_what_gds_cannot_do_is_done_in_cypher(
    graph: Graph,
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
    rewards: list[float],
    d: float,
    f: float,
    why: str,
) -> None:
    module = sys.modules["graphcrawl.rewards.distribute"]
    monkeypatch.setattr(module, "SMALL_AXONS", 0)
    db.build(rewards, [(0, 1, 1.0)])
    with pytest.raises(UsageError, match=why):
        await distribute(graph, distribute=d, forget=f, engine="gds")
    assert db.rewards() == rewards
    report = await distribute(graph, distribute=d, forget=f)
    assert (report.engine, report.why) == ("cypher", why)
    np.testing.assert_allclose(db.rewards(), reference(rewards, [(0, 1, 1.0)], 1, d, f), atol=1e-12)


@pytest.mark.parametrize(
    ("iterations", "d", "f"), [(0, 0.1, 0.1), (1, 1.0, 0.1), (1, 0.1, -0.1), (1, float("nan"), 0.1)]
)
async def test_wrong_arguments_are_refused(
    graph: Graph, iterations: int, d: float, f: float
) -> None:
    with pytest.raises(UsageError):
        await distribute(graph, iterations=iterations, distribute=d, forget=f)


async def test_engine_is_chosen_by_trial(
    graph: Graph, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await choose_engine(graph, "auto") == "gds"
    run = graph.run

    async def without_gds(name: str, **parameters: Any) -> list[dict[str, Any]]:
        if "/gds_" in name:
            raise QueryError("Unknown function 'gds.graph.project'")
        return await run(name, **parameters)

    monkeypatch.setattr(graph, "run", without_gds)
    assert await choose_engine(graph, "auto") == "cypher"
    with pytest.raises(GdsMissingError) as missing:
        await choose_engine(graph, "gds")
    assert "--engine cypher" in missing.value.hint
    db.build([10.0, 0.0], [(0, 1, 1.0)])
    assert (await distribute(graph)).engine == "cypher"
    assert db.rewards() == pytest.approx([9.0, 1.0])


# Beside a crawl: the recorder's gate is held by another transaction, so that a distribution has
# read everything and has written nothing.


async def until(ready: Any, seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(ready):
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("engine", ENGINES)
async def test_reward_earned_meanwhile_is_kept(graph: Graph, db: Database, engine: str) -> None:
    axons = [(0, 1, 1.0), (1, 2, 0.5)]
    db.build([100.0, 10.0, 0.0], axons)
    with db.transaction() as recorder:
        recorder.run("MATCH (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(distribute(graph, engine=engine))  # type: ignore[arg-type]
        await until(db.blocked)
        recorder.run(
            "MATCH (p:PageNeuron {neuronId: 1}) SET p.reward = p.reward + 1000 "
            "CREATE (p)-[:LINK_AXON {weight: 1.0}]->(:PageNeuron {url: 'http://new.example/',"
            " neuronId: 3, reward: 7.0})"
        ).consume()
        recorder.commit()
    await run
    expected = reference([100.0, 10.0, 0.0], axons) + np.array([0, 1000, 0])
    assert db.rewards() == pytest.approx([*expected, 7.0], abs=TOLERANCE)


@pytest.mark.parametrize("engine", ENGINES)
async def test_reward_moved_away_meanwhile_leaves_no_debt(
    graph: Graph, db: Database, engine: str
) -> None:
    db.build([100.0, 0.0], [(0, 1, 1.0)])
    with db.transaction() as recorder:  # as a redirect does
        recorder.run("MATCH (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(distribute(graph, engine=engine))  # type: ignore[arg-type]
        await until(db.blocked)
        recorder.run("MATCH (p:PageNeuron {neuronId: 0}) SET p.reward = 0.0").consume()
        recorder.commit()
    await run
    assert db.rewards() == pytest.approx([0.0, 10.0], abs=TOLERANCE)


@pytest.mark.parametrize("engine", ENGINES)
async def test_a_batch_that_fails_is_added_once(
    graph: Graph, db: Database, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["graphcrawl.rewards.writing"], "_BATCH", 2)
    rewards, axons = [100.0, 10.0, 0.0, 5.0, 1.0], [(0, i, 1.0) for i in range(1, 5)]
    db.build(rewards, axons)
    with db.transaction() as claim:
        claim.run("MATCH (p:PageNeuron {neuronId: 3}) SET p.tries = 1").consume()
        run = asyncio.create_task(distribute(graph, engine=engine))  # type: ignore[arg-type]
        await until(db.blocked)
        victim = db.run(
            "SHOW TRANSACTIONS YIELD transactionId, status, outerTransactionId "
            "WHERE status STARTS WITH 'Blocked' AND outerTransactionId <> '' RETURN transactionId"
        )[0]["transactionId"]
        db.run("TERMINATE TRANSACTIONS $id", id=victim)
        await until(lambda: victim not in db.blocked())
        claim.commit()
    await run
    np.testing.assert_allclose(db.rewards(), reference(rewards, axons), atol=TOLERANCE)


@pytest.mark.parametrize("engine", ENGINES)
async def test_a_cancelled_run_finishes_writing(graph: Graph, db: Database, engine: str) -> None:
    axons = [(0, 1, 1.0)]
    db.build([100.0, 10.0], axons)
    with db.transaction() as recorder:
        recorder.run("MATCH (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(distribute(graph, engine=engine))  # type: ignore[arg-type]
        await until(db.blocked)
        run.cancel()
        await asyncio.sleep(0.2)
        recorder.commit()
    with pytest.raises(asyncio.CancelledError):
        await run
    np.testing.assert_allclose(db.rewards(), reference([100.0, 10.0], axons), atol=TOLERANCE)
    assert db.run("CALL gds.graph.list() YIELD graphName RETURN graphName") == []


@pytest.mark.parametrize("engine", ENGINES)
async def test_distributions_take_turns(graph: Graph, db: Database, engine: str) -> None:
    axons = [(0, 1, 1.0), (1, 2, 0.5)]
    db.build([100.0, 10.0, 0.0], axons)
    await asyncio.gather(*(distribute(graph, engine=engine) for _ in range(3)))  # type: ignore[arg-type]
    expected = reference([100.0, 10.0, 0.0], axons, 3)
    np.testing.assert_allclose(db.rewards(), expected, atol=TOLERANCE)
    assert db.run("MATCH (m:Meta) RETURN m.distributions AS n")[0]["n"] == 3


async def test_projections_are_freed(
    graph: Graph, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.build([1.0, 2.0], [(0, 1, 1.0)])
    left = "graphcrawl-rewards-left-by-a-killed-run"
    for name in (left, "not-ours"):
        await graph.run("reward/gds_probe", projection=name)
    run = graph.run

    async def failing(name: str, **parameters: Any) -> list[dict[str, Any]]:
        if name == "reward/gds_write":
            raise RuntimeError("in mid-run")
        return await run(name, **parameters)

    monkeypatch.setattr(graph, "run", failing)
    try:
        with pytest.raises(RuntimeError):
            await distribute(graph, engine="gds")
        names = db.run("CALL gds.graph.list() YIELD graphName AS name RETURN name")
        assert names == [{"name": "not-ours"}]
        assert db.rewards() == [1.0, 2.0]
    finally:
        await run("reward/gds_drop", projection="not-ours")


@pytest.mark.parametrize("engine", ENGINES)
async def test_priorities_follow_where_they_move(graph: Graph, db: Database, engine: str) -> None:
    """Page 1 gains 10 and page 2 loses too little to matter; pages 0 and 3 do not wait."""
    db.build([100.0, 0.0, 1000.0, 5.0, 50.0], [(0, 1, 1.0), (2, 4, 1e-3), (3, 4, 1e3)])
    db.run("MERGE (h:Host {name: 'h.example'}) SET h.bestPriority = 1e9")
    db.set(1, ":Frontier", priority=0.0, feedHint=0.5)
    db.set(2, ":Frontier", priority=950.0)
    db.set(3, ":Fetched")
    db.set(4, ":Frontier")
    await distribute(graph, engine=engine)  # type: ignore[arg-type]
    rows = db.run("MATCH (n:PageNeuron) RETURN n.priority AS p, n.reward AS r ORDER BY n.neuronId")
    priority, reward = [row["p"] for row in rows], [row["r"] for row in rows]
    assert priority[0] is None and priority[3] is None
    assert priority[1] == pytest.approx(60.0)
    assert priority[2] == 950.0  # was 950, is about 900: near enough
    assert priority[4] == reward[4]
    assert db.run("MATCH (h:Host) RETURN h.bestPriority AS b")[0]["b"] == 950.0
