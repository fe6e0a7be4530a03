"""Steady reward on a real Neo4j: exact against scipy, whatever was recorded, folded or pruned."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from neurons import Axon, Database, database
from outcomes import link, page_of
from resting import at_rest, expected, happening, held, leased
from worlds import MemoryWorld, Neo4jWorld, World

from graphcrawl.errors import UsageError
from graphcrawl.frontier import Frontier, Neo4jFrontier, Seed
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.graph import Graph
from graphcrawl.memory import MemoryGraph
from graphcrawl.recorded import RecordOptions
from graphcrawl.rewards import change_mode, distribute, fix, prune, record_options, standing, undo

Engine = Literal["gds", "cypher"]
ENGINES: tuple[Engine, ...] = ("gds", "cypher")


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


@st.composite
def grown(draw: st.DrawFn) -> tuple[list[float], list[float], list[Axon], dict[int, int]]:
    """Return rewards so far, what was granted, axons, and which page stands for which."""
    n = draw(st.integers(2, 10))
    page = st.integers(0, n - 1)
    pairs = st.lists(st.tuples(page, page).filter(lambda p: p[0] != p[1]), max_size=25, unique=True)
    weight = st.sampled_from([1.0, 0.5, 0.25]) | st.floats(0.001, 10)
    points = st.sampled_from([0.0, 0.0, 100.0, -5.0]) | st.floats(-100, 1000)
    ends = st.dictionaries(st.integers(n // 2 + 1, n), st.integers(0, n // 2), max_size=2)
    aliases = {alias: end for alias, end in draw(ends).items() if alias < n}
    rewards = draw(st.lists(points, min_size=n, max_size=n))
    return (  # reward and axons of aliases are with what stands for them
        [0.0 if page in aliases else rewards[page] for page in range(n)],
        draw(st.lists(points, min_size=n, max_size=n)),
        [(s, t, draw(weight)) for s, t in draw(pairs) if not {s, t} & aliases.keys()],
        aliases,
    )


HUB = ([0.0] * 10, [100.0] + [0.0] * 9, [(0, i, 1.0) for i in range(1, 7)] + [(7, 0, 0.25)])


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(grown(), st.sampled_from([0.0, 0.3, 0.5, 0.8]))
@example((*HUB, {}), 0.5)
@example(([3.0, 0.0, 0.0], [-3.0, 7.0, 0.0], [(0, 1, 1.0), (1, 0, 0.5)], {2: 0}), 0.5)
@example(([3.0, 4.0], [0.0, 0.0], [(0, 1, 1.0)], {}), 0.5)  # nothing was granted
async def test_both_engines_agree_with_scipy(
    graph: Graph,
    db: Database,
    pages: tuple[list[float], list[float], list[Axon], dict[int, int]],
    damping: float,
) -> None:
    rewards, granted, axons, aliases = pages
    for engine in ENGINES:
        db.build(rewards, axons)
        for number, points in enumerate(granted):
            db.set(number, baseReward=points)
        for alias, end in aliases.items():
            db.set(alias, ":Alias", aliasOf=f"http://h.example/{end}")
        report = await distribute(graph, mode="steady", damping=damping, engine=engine)
        assert report.engine == (engine if axons else "cypher")
        rest = expected(db, damping)
        scale = sum(map(abs, granted)) + 1
        assert held(db) == pytest.approx(rest, rel=1e-9, abs=1e-8 * scale)
        assert report.reward_before == pytest.approx(sum(rewards), rel=1e-12, abs=1e-12)


async def test_example_by_hand(graph: Graph, db: Database) -> None:
    """Two pages: of 90 points, two thirds rest where they were granted and one third next door."""
    db.build([0.0, 0.0], [(0, 1, 1.0)])
    db.set(0, baseReward=90.0)
    report = await distribute(graph, mode="steady", damping=0.5)
    assert db.rewards() == pytest.approx([60.0, 30.0], abs=1e-6)
    assert (report.mode, report.damping, report.engine) == ("steady", 0.5, "cypher")
    again = await distribute(graph, mode="steady", damping=0.5)
    assert (again.iterations, again.max_change) == (1, pytest.approx(0, abs=1e-6))  # it rests
    assert db.run("MATCH (m:Meta) RETURN m.distributions AS n, m.rewardDamping AS d") == [
        {"n": 2, "d": 0.5}
    ]


@pytest.mark.parametrize("seed", range(4))
async def test_reward_rests_while_the_graph_grows_and_shrinks(
    neo4j_world: Neo4jWorld, db: Database, tmp_path: Path, seed: int
) -> None:
    """Pages, redirects, canonical forms, newborns, pruning and its undoing, in any order."""
    rng = random.Random(seed)
    graph, clock, damping = neo4j_world.graph, neo4j_world.clock, rng.choice([0.3, 0.5, 0.7])
    options = record_options(RecordOptions(), "steady", damping)
    frontier = Neo4jFrontier(graph, "test-crawl", "w", options, now_ms=clock)
    urls = [f"http://{host}.example/{n}" for host in "ab" for n in range(7)]
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in urls[:2]])
    archives: list[Path] = []
    for _ in range(14):
        clock.pass_s(60)
        waiting = db.run("MATCH (p:PageNeuron) WHERE p:Frontier OR p:Fetched RETURN p.url AS url")
        url = rng.choice(sorted(row["url"] for row in waiting))
        claim = await leased(neo4j_world, url)
        await frontier.record([happening(rng, claim, clock, urls)])
        if rng.random() < 0.2:
            done = await prune(graph, below=3.0, archive_dir=tmp_path, spare_distributions=0)
            archives += [done.archive] if done.archive else []
        if archives and rng.random() < 0.2:
            await undo(graph, archives.pop(rng.randrange(len(archives))))
        if rng.random() < 0.5:
            engine = rng.choice(ENGINES)
            await distribute(graph, mode="steady", damping=damping, engine=engine)
            assert held(db) == pytest.approx(expected(db, damping), rel=1e-6, abs=1e-5)
    assert db.miscounted() == []


@pytest.mark.parametrize("engine", ENGINES)
async def test_what_is_granted_meanwhile_rests_after_the_next_one(
    graph: Graph, db: Database, engine: Engine
) -> None:
    db.build([0.0, 0.0, 0.0], [(0, 1, 1.0), (1, 2, 0.5)])
    db.set(0, baseReward=90.0)
    with db.transaction() as recorder:
        recorder.run("MATCH (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(
            distribute(graph, mode="steady", engine=engine, precision=1.0)  # one round in Cypher
        )
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(db.blocked):
                await asyncio.sleep(0.05)
        recorder.run(
            "MATCH (p:PageNeuron {neuronId: 2})"
            " SET p.reward = p.reward + 500, p.baseReward = 1000.0"
        ).consume()
        recorder.commit()
    await run
    assert (db.rewards()[2] or 0.0) >= 500.0
    await distribute(graph, mode="steady", engine=engine)
    assert held(db) == pytest.approx(expected(db, 0.5), abs=1e-5)


# Until the next distribution.


@pytest.fixture(params=["memory", "neo4j"])
def frontier_world(request: pytest.FixtureRequest) -> tuple[World, Frontier]:
    options = record_options(RecordOptions(), "steady", 0.4)
    if request.param == "memory":
        memory = MemoryWorld()
        memory.graph = MemoryGraph(options, now_ms=memory.clock)
        return memory, MemoryFrontier(memory.graph, "w")
    world: Neo4jWorld = request.getfixturevalue("neo4j_world")
    return world, Neo4jFrontier(world.graph, "test-crawl", "w", options, now_ms=world.clock)


async def test_grants_and_newborns_have_what_flowed_so_far(
    frontier_world: tuple[World, Frontier],
) -> None:
    """The seed keeps 0.6 of its 100 points, its rule adds 0.6 of 10, and 0.4 of that flows on."""
    world, frontier = frontier_world
    seed, one, two = (f"http://h.example/{name}" for name in ("", "1", "2"))
    await frontier.seed([Seed(seed, "h.example", 100.0)])
    assert (await world.pages())[seed]["reward"] == pytest.approx(60.0)
    (claim,) = await frontier.claim(pages=1, per_host=1, lease_s=60)
    links = [link(one, weight=1.0), link(two, weight=0.5)]
    report = await frontier.record([page_of(claim, world.clock, links, points=10.0)])
    pages = await world.pages()
    assert pages[seed]["reward"] == pytest.approx(66.0)
    assert pages[seed]["baseReward"] == pytest.approx(110.0)
    assert [pages[url]["reward"] for url in (one, two)] == pytest.approx([17.6, 8.8])
    assert [pages[url]["baseReward"] for url in (one, two)] == [0.0, 0.0]
    assert report.granted == 10.0


# The mode of a graph.


async def test_the_mode_is_fixed_by_the_first_crawl(graph: Graph, db: Database) -> None:
    assert not (await standing(graph)).is_fixed
    assert await fix(graph, "test", "steady") == "steady"
    assert await fix(graph, "test", None) == "steady"
    with pytest.raises(UsageError, match="flows by the mode 'steady'") as refused:
        await fix(graph, "test", "neural")
    assert refused.value.hint.endswith("graphcrawl --graph test propagate --mode neural --apply")
    db.build([0.0, 0.0], [(0, 1, 1.0)])
    db.set(0, baseReward=90.0)
    assert (await distribute(graph)).mode == "steady"


async def test_a_graph_crawled_before_there_were_modes_is_neural(
    graph: Graph, db: Database
) -> None:
    db.run("CREATE (:Crawl {id: 'old', startedAt: datetime()})")
    assert await fix(graph, "test", None) == "neural"
    db.run("MATCH (m:Meta) REMOVE m.rewardMode")
    with pytest.raises(UsageError):
        await fix(graph, "test", "steady")


async def test_another_mode_computes_all_reward_anew(graph: Graph, db: Database) -> None:
    axons = [(0, 1, 1.0), (1, 2, 1.0)]
    db.build([7.0, 1e6, -3.0], axons)
    db.set(0, baseReward=90.0)
    await fix(graph, "test", "neural")
    report = await change_mode(graph, "steady")
    rest = at_rest([90.0, 0.0, 0.0], axons, 0.5)
    assert (report.mode, (await standing(graph)).mode) == ("steady", "steady")
    assert db.rewards() == pytest.approx(list(rest), abs=1e-6)
    for number in range(3):
        db.set(number, reward=1e6)
    report = await change_mode(graph, "neural")
    assert (report.mode, report.damping, report.iterations) == ("neural", None, 1)
    flowed = 0.9 * rest + 0.1 * np.array([rest[1] / 2, rest[0] + rest[2], rest[1] / 2])
    assert db.rewards() == pytest.approx(list(flowed), abs=1e-6)


@pytest.mark.parametrize("mode", ["neural", "steady"])
@pytest.mark.parametrize("engine", ENGINES)
async def test_pages_that_wait_by_a_score_keep_their_priority(
    graph: Graph, db: Database, engine: Engine, mode: Literal["neural", "steady"]
) -> None:
    db.build([100.0, 0.0], [(0, 1, 1.0)])
    db.set(0, baseReward=100.0)
    db.set(1, ":Frontier", priority=0.3, score=0.3)
    await distribute(graph, engine=engine, mode=mode)
    assert db.run("MATCH (p:Frontier) RETURN p.priority AS p") == [{"p": 0.3}]
    db.run("MATCH (p:Frontier) REMOVE p.score")
    await distribute(graph, engine=engine, mode=mode)
    row = db.run("MATCH (p:Frontier) RETURN p.priority AS p, p.reward AS r")[0]
    assert row["p"] == row["r"] > 5


@pytest.mark.parametrize(("damping", "precision"), [(1.0, 1e-9), (-0.1, 1e-9), (0.5, 0.0)])
async def test_wrong_arguments_are_refused(graph: Graph, damping: float, precision: float) -> None:
    with pytest.raises(UsageError):
        await distribute(graph, mode="steady", damping=damping, precision=precision)
