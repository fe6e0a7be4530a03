"""What the doctor says of a real database, healthy and ill."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from graphcrawl import rewards
from graphcrawl.config import load_settings
from graphcrawl.doctor import database, examine
from graphcrawl.errors import QueryError
from graphcrawl.graph import Graph
from graphcrawl.rewards.distribute import SMALL_AXONS

FLOW: dict[str, Any] = {"distribute": 0.1, "forget": 0.1, "engine": "auto"}


async def test_a_healthy_database_is_well(graph: Graph) -> None:
    for look in (database.neo4j, database.gds, database.indexes, database.others, database.clock):
        found = await look(graph)
        assert found.state == "ok", found
    check, forecast = await database.reward(graph, load_settings(), None)
    assert check.state == "ok"
    assert forecast is not None
    assert (forecast.engine, forecast.axons) == ("cypher", 0)


async def test_a_dropped_index_is_bad_and_its_statement_mends_it(graph: Graph) -> None:
    for name in ("leased_until", "host_name"):
        kind = "CONSTRAINT" if name == "host_name" else "INDEX"
        await graph.run_schema(f"DROP {kind} {name}")
        found = await database.indexes(graph)
        assert found.state == "bad"
        assert name in found.what
        await graph.run_schema(found.hint.partition(": ")[2])
        await graph.run("schema/await_indexes")
        assert (await database.indexes(graph)).state == "ok"


Run = Callable[..., Awaitable[Any]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Answers to give in the server's stead, by statement."""
    run, given = Graph.run, dict[str, Any]()

    async def instead(self: Graph, name: str, **parameters: Any) -> Any:
        answer = given.get(name)
        if isinstance(answer, Exception):
            raise answer
        return answer if answer is not None else await run(self, name, **parameters)

    monkeypatch.setattr(Graph, "run", instead)
    return given


@pytest.mark.parametrize(
    ("ahead_s", "state", "word"), [(0, "ok", ""), (30, "warn", "ahead"), (-30, "warn", "behind")]
)
async def test_clocks_that_differ(
    graph: Graph, answers: dict[str, Any], ahead_s: int, state: str, word: str
) -> None:
    answers["look/server"] = [{"nowMs": (time.time() + ahead_s) * 1000}]
    found = await database.clock(graph)
    assert found.state == state
    assert word in found.what


@pytest.mark.parametrize(("version", "state"), [("5.25.1", "warn"), ("5.26.19", "ok")])
async def test_an_old_neo4j(
    graph: Graph, answers: dict[str, Any], version: str, state: str
) -> None:
    answers["look/server"] = [{"version": version, "edition": "community", "nowMs": 0}]
    assert (await database.neo4j(graph)).state == state


async def test_without_gds_cypher_serves_and_large_graphs_are_dear(
    graph: Graph, answers: dict[str, Any]
) -> None:
    for name in ("look/gds_version", "reward/gds_probe"):
        answers[name] = QueryError("Unknown function")
    assert (await database.gds(graph)).state == "warn"
    answers["reward/size"] = [{"neurons": 10**6, "axons": 10**7, "lastS": None, "lastAxons": None}]
    check, forecast = await database.reward(graph, load_settings(), None)
    assert check.state == "ok"
    assert forecast is not None
    # 109 s, as README.md, Speed, has it for Cypher over 1 M neurons and 10 M axons
    assert (forecast.engine, round(forecast.iteration_s, -1)) == ("cypher", 110)
    settings = load_settings(reward={"engine": "gds"})
    check, forecast = await database.reward(graph, settings, None)
    assert (check.state, forecast) == ("bad", None)
    assert "--engine cypher" in check.hint


async def test_a_heap_too_small_for_the_projection(graph: Graph, answers: dict[str, Any]) -> None:
    answers["reward/size"] = [{"neurons": 10**7, "axons": 10**8, "lastS": 10.0, "lastAxons": 10**8}]
    check, _ = await database.reward(graph, load_settings(), 4 * 2**30)
    assert check.state == "warn"
    assert "heap" in check.hint
    check, _ = await database.reward(graph, load_settings(), 8 * 2**30)
    assert check.state == "ok"


async def test_the_forecast_is_what_the_last_distribution_took(graph: Graph) -> None:
    await graph.run_schema(
        "UNWIND range(1, 50) AS n CREATE (:PageNeuron {url: 'http://a.example/' + n, reward: 1.0})"
        "-[:LINK_AXON {weight: 1.0}]->(:PageNeuron {url: 'http://b.example/' + n, reward: 1.0})"
    )
    before = await rewards.forecast(graph, **FLOW)
    assert (before.neurons, before.axons, before.is_measured) == (100, 50, False)
    assert before.why == "the graph is too small for a projection to pay"
    started = time.perf_counter()
    report = await rewards.distribute(graph)
    took_s = time.perf_counter() - started
    after = await rewards.forecast(graph, **FLOW)
    assert after.is_measured
    assert report.iteration_s <= after.iteration_s <= took_s


async def test_a_larger_graph_costs_more_and_another_engine_is_not_measured(
    graph: Graph, answers: dict[str, Any]
) -> None:
    size = {"neurons": 10, "axons": 4 * 10**6, "lastS": 3.0, "lastAxons": 10**6}
    answers["reward/size"] = [size]
    found = await rewards.forecast(graph, **FLOW)
    assert (found.engine, found.iteration_s, found.is_measured) == ("gds", 12.0, True)
    size["lastAxons"] = SMALL_AXONS - 1  # that was Cypher's
    assert not (await rewards.forecast(graph, **FLOW)).is_measured


async def test_the_whole_look_at_a_server_of_ones_own(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", graph.address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", graph.address.password)
    found = await examine(load_settings(graph="test"))
    names = [check.name for check in found.checks]
    assert names[-6:] == ["neo4j", "gds", "schema", "others", "clock", "reward"]
    assert not {"java", "jars", "ports"} & set(names)  # of no concern there
    assert found.state != "bad"
    assert found.reward is not None
    await graph.run_schema("MATCH (m:Meta) SET m.schemaVersion = 99")
    found = await examine(load_settings(graph="test"))
    assert (found.checks[-1].name, found.checks[-1].state, found.reward) == ("schema", "bad", None)
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong")
    found = await examine(load_settings(graph="test"))
    assert (found.checks[-1].name, found.state) == ("neo4j", "bad")
    monkeypatch.delenv("NEO4J_PASSWORD")
    assert (await examine(load_settings(graph="test"))).state == "bad"
