"""Local pushes on a real Neo4j: within the stated bound of scipy's solution, whatever happened.

Many more graphs, without a server: `tests/unit/test_push_bound.py`.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from neurons import Database, database
from outcomes import link, page_of
from resting import expected, happening, held, leased
from worlds import Neo4jWorld

from graphcrawl.errors import UsageError
from graphcrawl.frontier import Neo4jFrontier, Seed, add_seeds
from graphcrawl.graph import Graph
from graphcrawl.recorded import RecordOptions
from graphcrawl.rewards import (
    EPSILON,
    change_mode,
    distribute,
    grant_share,
    prune,
    push,
    record_options,
    undo,
)


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def beyond_bound(db: Database, damping: float, epsilon: float) -> dict[str, tuple[float, float]]:
    """Return the neurons whose error is more than ε · strength / (1 - δ): reward and what it is."""
    rows = db.run("MATCH (p:PageNeuron) RETURN p.url AS url, coalesce(p.strength, 0.0) AS s")
    strength = {row["url"]: row["s"] for row in rows}
    right = expected(db, damping)
    return {
        url: (reward, right[url])
        for url, reward in held(db).items()
        if abs(reward - right[url]) > epsilon * strength[url] / (1 - damping) + 1e-9
    }


def misflowing(db: Database) -> list[dict[str, object]]:
    """Return neurons that neither know what flows in, nor are marked to have it counted."""
    return db.run(
        "MATCH (p:PageNeuron) WHERE NOT p:Pruned "
        "WITH p, COLLECT { MATCH (p)-[a:LINK_AXON]-(q) "
        "RETURN a.weight * coalesce(q.flowRate, 0.0) } AS flows "
        "WITH p, reduce(s = 0.0, f IN flows | s + f) AS inflow "
        "WHERE CASE WHEN p.inflow IS NULL THEN NOT p:Touched"
        " ELSE abs(inflow - p.inflow) > 1e-9 * (1 + abs(inflow)) END "
        "RETURN p.url AS url, p.inflow AS known, inflow"
    )


@pytest.mark.parametrize("seed", range(2))
async def test_the_bound_holds_while_the_graph_grows_and_shrinks(
    neo4j_world: Neo4jWorld, db: Database, tmp_path: Path, seed: int
) -> None:
    """Grants, redirects, canonical forms, other weights, pruning, forgetting, at any time."""
    rng = random.Random(seed)
    graph, clock = neo4j_world.graph, neo4j_world.clock
    damping, epsilon = rng.choice([0.3, 0.5, 0.7]), rng.choice([0.001, 0.1, 1.0])
    options = record_options(RecordOptions(), "steady", damping)
    frontier = Neo4jFrontier(graph, "test-crawl", "w", options, now_ms=clock)
    urls = [f"http://{host}.example/{n}" for host in "ab" for n in range(7)]
    await graph.run("reward/set_mode", mode="steady")
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in urls[:2]])
    archives: list[Path] = []
    wholes = 0
    for step in range(12):
        clock.pass_s(60)
        waiting = db.run("MATCH (p:PageNeuron) WHERE p:Frontier OR p:Fetched RETURN p.url AS url")
        known = sorted(row["url"] for row in waiting)
        some = rng.sample(known, min(len(known), rng.randint(1, 3)))
        claims = [await leased(neo4j_world, url) for url in some]
        await frontier.record([happening(rng, claim, clock, urls) for claim in claims])
        if rng.random() < 0.2:
            done = await prune(graph, below=3.0, archive_dir=tmp_path, spare_distributions=0)
            archives += [done.archive] if done.archive else []
        if archives and rng.random() < 0.3:
            await undo(graph, archives.pop(rng.randrange(len(archives))))
        if rng.random() < 0.15:
            await frontier.seed([Seed(url := rng.choice(urls), url.split("/")[2], 50.0)])
        if rng.random() < 0.1:
            url = rng.choice(urls[2:])
            if not db.run("MATCH (p:Alias) WHERE $url IN [p.url, p.aliasOf] RETURN p", url=url):
                await graph.run("forget/delete_pages", urls=[url])
        if rng.random() < 0.2:
            fetched = db.run(
                "MATCH (p:Fetched) RETURN p.url AS url, p.fetchedAt.epochMillis AS fetchedMs"
            )
            for row in fetched[:1]:
                page = row | {"grants": ["25 taleo text"]}
                await graph.run("evaluate/regrant", pages=[page], places=["text"])
        assert step == 0 or misflowing(db) == []
        if rng.random() < 0.6 or step == 0:
            report = await push(graph, damping=damping, epsilon=epsilon)
            wholes += report.whole
            assert beyond_bound(db, damping, epsilon) == {}
            assert db.run("MATCH (p:Active|Touched) RETURN count(p) AS n") == [{"n": 0}]
    assert wholes == 1
    assert db.miscounted() == []


async def test_a_push_costs_what_changed(graph: Graph, db: Database) -> None:
    """A grant at the end of a long chain reaches some of it, and the whole graph is not read."""
    db.build([0.0] * 300, [(i, i + 1, 1.0) for i in range(299)])
    db.set(0, baseReward=100.0)
    first = await push(graph, damping=0.5, epsilon=1e-3)
    assert (first.whole, first.why, first.taken) == (True, "for the first time", 300)
    db.set(299, ":Touched", baseReward=10.0)
    second = await push(graph, damping=0.5, epsilon=1e-3)
    assert not second.whole
    assert (second.taken, 0 < second.pushed < 40) == (1, True)
    assert beyond_bound(db, 0.5, 1e-3) == {}
    third = await push(graph, damping=0.5, epsilon=1e-3)
    assert (third.taken, third.pushed, third.whole) == (0, 0, False)
    assert db.run("MATCH (m:Meta) RETURN m.distributions AS n") == [{"n": 2}]  # not for nothing
    assert (await push(graph, damping=0.4, epsilon=1e-3)).why == "the damping was 0.5"
    assert (await push(graph, damping=0.4, epsilon=1e-4)).why == "epsilon was 0.001"
    assert beyond_bound(db, 0.4, 1e-4) == {}


async def test_what_waits_gets_its_priority_by_pushes(graph: Graph, db: Database) -> None:
    db.build([0.0, 0.0, 0.0], [(0, 1, 1.0), (1, 2, 1.0)])
    db.run("CREATE (:Host {name: 'h.example'})")
    db.set(1, ":Frontier", priority=0.0, feedHint=0.5)
    db.set(2, ":Frontier", priority=7.0, score=7.0)
    await push(graph)
    db.set(0, ":Touched", baseReward=90.0)
    await push(graph)
    rows = db.run(
        "MATCH (p:PageNeuron) RETURN p.priority AS waits, p.reward AS r ORDER BY p.neuronId"
    )
    assert rows[1]["waits"] == pytest.approx(rows[1]["r"] + 50.0, rel=0.1)
    assert rows[1]["r"] > 10
    assert rows[2]["waits"] == 7.0
    best = db.run("MATCH (h:Host) RETURN h.bestPriority AS best")
    assert best == [{"best": rows[1]["waits"]}]


async def test_too_much_at_once_is_left_to_a_distribution(
    graph: Graph, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["graphcrawl.rewards.push"], "ALL_AT_LEAST", 5)
    db.build([0.0] * 50, [(0, i, 1.0) for i in range(1, 50)])
    await push(graph)
    db.set(0, ":Touched", baseReward=500.0)
    report = await push(graph)
    assert (report.whole, report.why) == (True, "more than 5 neurons were touched")
    assert beyond_bound(db, 0.5, EPSILON) == {}


async def test_neural_graphs_pay_nothing_and_a_change_begins_anew(
    neo4j_world: Neo4jWorld, db: Database
) -> None:
    graph, clock = neo4j_world.graph, neo4j_world.clock
    frontier = Neo4jFrontier(graph, "test-crawl", "w", now_ms=clock)
    await frontier.seed([Seed("http://h.example/", "h.example", 100.0)])
    for url in ("http://h.example/", "http://h.example/1"):
        claim = await leased(neo4j_world, url)
        await frontier.record(
            [page_of(claim, clock, [link(f"http://h.example/{n}", weight=1.0) for n in (1, 2)])]
        )
    marked = (
        "MATCH (p:PageNeuron) WHERE p:Touched OR p:Active OR p.inflow IS NOT NULL "
        "RETURN count(p) AS n"
    )
    assert db.run(marked) == [{"n": 0}]
    flow = {"distribute": 0.1, "forget": 0.1, "damping": 0.5}
    await change_mode(graph, "steady", **flow)
    await push(graph)
    assert beyond_bound(db, 0.5, EPSILON) == {}
    await change_mode(graph, "neural", **flow)
    await distribute(graph)
    await change_mode(graph, "steady", **flow)
    assert (await push(graph)).why == "for the first time"
    assert beyond_bound(db, 0.5, EPSILON) == {}


@pytest.mark.parametrize(("damping", "epsilon"), [(1.0, 0.1), (0.5, 0.0), (float("nan"), 0.1)])
async def test_wrong_arguments_are_refused(graph: Graph, damping: float, epsilon: float) -> None:
    with pytest.raises(UsageError):
        await push(graph, damping=damping, epsilon=epsilon)


async def test_judging_again_and_seeds_grant_by_the_share_of_the_mode(
    graph: Graph, db: Database
) -> None:
    await graph.run("reward/set_mode", mode="steady")
    share = await grant_share(graph, 0.4)
    assert share == pytest.approx(0.6)
    await add_seeds(graph, ["http://h.example/"], 100.0, share)
    assert db.rewards() == pytest.approx([60.0])
    db.run("MATCH (p:PageNeuron) SET p:Fetched, p.fetchedAt = datetime({epochMillis: 1000})")
    page = {"url": "http://h.example/", "fetchedMs": 1000, "grants": ["10 taleo text"]}
    rows = await graph.run("evaluate/regrant", pages=[page], places=["text"], grantShare=share)
    assert (rows[0]["base"], rows[0]["reward"]) == (10.0, pytest.approx(6.0))
    await push(graph, damping=0.4)
    assert db.rewards() == pytest.approx([66.0])
