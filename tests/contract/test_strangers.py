"""Other people's nodes, indexes that somebody dropped, leases that would never end."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graphcrawl import look, schema, schema_objects, strangers
from graphcrawl.dictionary_elements import ELEMENTS
from graphcrawl.doctor import database
from graphcrawl.errors import Neo4jError, SchemaError, UsageError
from graphcrawl.export import What, export
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.queries import load

Nodes = Callable[[], Awaitable[list[Any]]]

# Labels of ours that others use too, with properties of theirs. What tells ours apart is missing.
THEIRS = """
    CREATE (:Host {title: 'x', bestPriority: 9.0, latencyS: 99.0}),
           (:Job {title: 'Nurse', firstSeenAt: datetime()}),
           (:Meta {note: 'theirs'}), (:Model {kind: 'car'}),
           (:Crawl {startedAt: datetime(), fetched: 9}),
           (:Origin {country: 'DE'}), (:Failed {task: 1}), (:Excluded), (:Seed {kind: 'bean'}),
           (:Fetched:Rewarded), (:Frontier {of: 'war'}), (:Leased {car: 1}), (:Pruned),
           (:JobFeed {of: 'theirs'}), (:Person {name: 'Ada'})
"""
OURS = """
    CREATE (a:PageNeuron:Fetched:Seed {url: 'http://a.example/', host: 'a.example', neuronId: 1,
             reward: 5.0, baseReward: 5.0, fetchedAt: datetime(), worth: 0.5, depth: 0}),
           (b:PageNeuron:Frontier {url: 'http://a.example/b', host: 'a.example', neuronId: 2,
             reward: 2.0, priority: 2.0, depth: 1}),
           (:Host {name: 'a.example', bestPriority: 2.0}),
           (a)-[:LINK_AXON {weight: 1.0, links: 1}]->(b)
"""


async def seen(graph: Graph) -> dict[str, Any]:
    """Return what reading commands say of the graph."""
    listed = await graph.run("look/host_list")
    return {
        "status": {k: v for k, v in asdict(await look.status(graph)).items() if k != "measured_at"},
        "hosts": listed,
        "slow": await graph.run("look/slow_hosts"),
        "feeds": await graph.run("look/feeds"),
        "jobs": [row async for row in graph.stream("look/jobs", what="all", limit=9)],
        "seeds": await graph.run("frontier/seeds"),
        "outlook": [r["leased"] for r in await graph.run("frontier/outlook")],
        "crawls": await graph.run("analysis/crawls", limit=9),
        "mode": await graph.run("reward/mode"),
    }


@pytest.fixture
async def nodes(graph: Graph) -> AsyncIterator[Nodes]:
    """Read the nodes of others, whole, by a connection of its own."""
    address = graph.address
    async with neo4j.AsyncGraphDatabase.driver(
        address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
    ) as driver:

        async def read() -> list[Any]:
            found = await driver.execute_query(
                "MATCH (n) WHERE none(k IN ['url', 'name', 'key', 'id', 'schemaVersion'] "
                "WHERE n[k] IS NOT NULL) OR n:Person OR n.version = 7 "
                "RETURN labels(n) AS labels, properties(n) AS properties"
            )
            return sorted(([sorted(r["labels"]), r["properties"]] for r in found.records), key=str)

        yield read


async def test_nodes_of_others_are_neither_counted_nor_touched(
    graph: Graph, nodes: Nodes, tmp_path: Path
) -> None:
    await graph.run_schema(OURS)
    before = await seen(graph)
    assert await nodes() == []
    assert (await database.others(graph)).state == "ok"
    await graph.run_schema(THEIRS)
    theirs = await nodes()
    assert len(theirs) == 15
    assert await seen(graph) == before

    frontier = Neo4jFrontier(graph, "c", "w")
    await schema.prepare(graph, "test")
    await frontier.refresh_hosts()
    await graph.run("order/by_reward")
    await graph.run("order/fill")
    await frontier.reap()
    await frontier.seed([Seed("http://a.example/", "a.example")])
    claims = await frontier.claim(pages=9, per_host=9, lease_s=60)
    assert [claim.url for claim in claims] == ["http://a.example/b"]
    await frontier.release(claims)
    assert await nodes() == theirs
    told = await database.others(graph)
    assert told.state == "warn"
    assert "1 as :Host" in told.what
    assert "9 with other labels" in told.what
    with pytest.raises(UsageError, match="not graphcrawl's"):
        await export(graph, What.GRAPH, tmp_path / "a.jsonl", name="test", form="jsonl")
    await graph.run("demo/wipe")
    assert await nodes() == theirs
    assert (await look.status(graph)).counts.neurons == 0


async def test_a_database_with_a_meta_of_others_is_theirs(graph: Graph, nodes: Nodes) -> None:
    await graph.run_schema(
        "MATCH (n) DETACH DELETE n; CREATE (:Meta {graph: 'theirs', version: 7})"
    )
    with pytest.raises(SchemaError, match="not graphcrawl's"):
        await schema.prepare(graph, "test")
    assert await nodes() == [[["Meta"], {"graph": "theirs", "version": 7}]]
    await graph.run_schema("MATCH (n) DETACH DELETE n")


def test_strangers_are_told_by_every_kind_of_node_there_is() -> None:
    text = load("look/strangers").text
    assert {e.name for e in ELEMENTS if e.is_node and f":{e.name})" not in text} == set()


async def test_what_was_dropped_is_made_anew(
    graph: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    await graph.run_schema(
        "DROP INDEX leased_until; DROP CONSTRAINT host_name; MATCH (g:WriteGate) DELETE g"
    )
    with caplog.at_level(logging.WARNING):
        await schema.prepare(graph, "test")
    assert "leased_until" in caplog.text
    assert (await database.indexes(graph)).state == "ok"
    assert await schema_objects.mend(graph) == []
    frontier = Neo4jFrontier(graph, "c", "w")  # the gates come back with their first use
    await frontier.seed([Seed("http://a.example/", "a.example")])
    assert len(await frontier.claim(pages=1, per_host=1, lease_s=60)) == 1


async def test_what_cannot_be_made_anew_is_told(graph: Graph) -> None:
    await graph.run_schema(
        "DROP CONSTRAINT host_name; CREATE (:Host {name: 'a.example'}), (:Host {name: 'a.example'})"
    )
    with pytest.raises(SchemaError, match="host_name is missing and cannot be made") as caught:
        await schema.prepare(graph, "test")
    assert "CREATE CONSTRAINT host_name" in caught.value.hint
    await graph.run_schema("MATCH (h:Host) DELETE h")
    await schema.prepare(graph, "test")
    assert (await database.indexes(graph)).state == "ok"


async def test_an_index_that_is_being_built_is_waited_for(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, waited = Graph.run, list[int]()

    async def slow(self: Graph, name: str, **parameters: Any) -> Any:
        if name == "schema/await_indexes":
            waited.append(parameters["timeoutS"])
            raise Neo4jError("Neo4j refused: Index not online within a given timeout")
        rows = await run(self, name, **parameters)
        if name == "look/indexes":
            late = {"state": "POPULATING", "percent": 40.0}
            return [row | late if row["name"] == "leased_until" else row for row in rows]
        return rows

    monkeypatch.setattr(Graph, "run", slow)
    with pytest.raises(SchemaError, match=r"leased_until is still being built: 40 % after 300 s"):
        await schema.prepare(graph, "test")
    assert waited == [300]


async def test_leases_of_past_runs_end_whatever_their_time(graph: Graph) -> None:
    """Without a time, and with one that a wrong clock gave; one of now stays."""
    now = datetime.now(UTC)
    times = {"far": timedelta(days=900), "past": timedelta(days=-90), "now": timedelta(minutes=5)}
    for name in ("none", *times):
        until = f"datetime('{(now + times[name]).isoformat()}')" if name in times else "null"
        await graph.run_schema(
            f"CREATE (:PageNeuron:Leased {{url: 'http://{name}.example/', host: '{name}.example', "
            f"reward: 1.0, leasedBy: 'gone', leasedUntil: {until}, token: 3}}), "
            f"(:Host {{name: '{name}.example', leasedBy: 'gone', token: 3, nextFetchAt: {until}}})"
        )
    frontier = Neo4jFrontier(graph, "c", "w")
    await frontier.refresh_hosts()
    assert await frontier.reap() == 3
    await frontier.refresh_hosts()
    claims = await frontier.claim(pages=9, per_host=1, lease_s=60)
    assert {claim.host for claim in claims} == {"none.example", "far.example", "past.example"}


async def test_a_page_that_lost_its_label_gets_it_back(graph: Graph) -> None:
    await graph.run_schema(OURS + ", (:Person) WITH b REMOVE b:PageNeuron")
    assert (await strangers.mend(graph)).labels == 1
    assert (await strangers.mend(graph)).labels == 0
    assert await strangers.number(graph) == 1
    frontier = Neo4jFrontier(graph, "c", "w")
    assert len(await frontier.claim(pages=1, per_host=1, lease_s=60)) == 1
