"""Backup of a graph that is being written, its restoring, and its store written anew."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from servers import SMALL

from graphcrawl import compact, schema, server
from graphcrawl.config import Paths
from graphcrawl.errors import UsageError
from graphcrawl.export import digest
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.server import backups, draft, snapshot
from graphcrawl.server.store import Store

NAME, COPY = "test", "again"  # the server of the other tests; a graph made here


@pytest.fixture
async def running(server_paths: Paths) -> AsyncIterator[Graph]:
    """A graph that one crawl works on: pages that wait, one that is leased."""
    found = await server.up(server_paths, NAME, SMALL)
    async with Graph.open(found.address) as graph:
        await graph.run_schema("MATCH (n) DETACH DELETE n")
        await schema.prepare(graph, NAME)
        yield graph
        await graph.run_schema("MATCH (n) DETACH DELETE n")
    await server.reset(server_paths, COPY)


async def digest_of(graph: Graph) -> tuple[int, int, str]:
    found = digest.Digest()
    for statement in digest.STATEMENTS:
        async for row in graph.stream(statement):
            found.add(row)
    return found.value


async def urls(graph: Graph) -> set[str]:
    return {row["properties"]["url"] async for row in graph.stream("export/neurons")}


@pytest.mark.long
@pytest.mark.timeout(900)  # three servers start one after the other
async def test_a_graph_is_backed_up_while_it_is_written_restored_and_compacted(
    running: Graph, server_paths: Paths, tmp_path: Path
) -> None:
    frontier = Neo4jFrontier(running, "c", "w")
    acknowledged: list[str] = []

    async def write() -> None:
        while True:
            url = f"http://a.example/{len(acknowledged)}"
            await frontier.seed([Seed(url, "a.example")])
            acknowledged.append(url)

    writing = asyncio.create_task(write())
    while len(acknowledged) < 20 and not writing.done():
        await asyncio.sleep(0.01)
    assert await frontier.claim(pages=1, per_host=1, lease_s=600)
    before, file = set(acknowledged), tmp_path / "a.backup"
    done = await backups.backup(server_paths, NAME, file)
    while len(acknowledged) < len(before) + 5 and not writing.done():  # it goes on
        await asyncio.sleep(0.01)
    writing.cancel()
    assert done.bytes == file.stat().st_size < done.store_bytes
    assert 0 < done.held_s < done.seconds
    with pytest.raises(UsageError, match="exists"):
        await backups.backup(server_paths, NAME, file)
    with pytest.raises(UsageError, match="already"):
        await backups.restore(server_paths, NAME, file, SMALL)

    made = await backups.restore(server_paths, COPY, file, SMALL)
    assert (made.head.graph, made.head.bytes) == (NAME, done.store_bytes)
    assert len(before) <= made.neurons <= len(acknowledged)
    store = Store.of(server_paths, COPY)
    assert not draft.of(server_paths, COPY).exists

    found = await server.up(server_paths, COPY, SMALL)
    async with Graph.open(found.address) as graph:
        await schema.prepare(graph, COPY)
        assert before <= await urls(graph)
        with pytest.raises(UsageError, match="A crawl holds 1 pages"):  # its lease came along
            await compact.compact(server_paths, COPY, SMALL)
        # Nine in ten pages are deleted: a store that grew keeps its size.
        await graph.run_schema("""
            MATCH (p:Leased) REMOVE p:Leased, p.leasedUntil SET p:Frontier;
            UNWIND range(1, 3000) AS n CALL (n) {
              CREATE (:PageNeuron {url: 'http://b.example/' + n, host: 'b.example', number: n,
                reward: 1.5, at: datetime(),
                note: reduce(s = '', _ IN range(1, 60) | s + 'some words for the log ')})
            } IN TRANSACTIONS OF 2000 ROWS;
            MATCH (a:PageNeuron {host: 'b.example'}) WHERE a.number % 10 = 0
            MATCH (b:PageNeuron {url: 'http://b.example/' + (a.number + 10)})
            CREATE (a)-[:LINK_AXON {weight: 0.5, anchor: 'né'}]->(b);
            MATCH (p:PageNeuron {host: 'b.example'}) WHERE p.number % 10 <> 0
            CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 2000 ROWS
        """)
        wanted, password = await digest_of(graph), found.address.password

    report = await compact.compact(server_paths, COPY, SMALL)
    assert (report.nodes, report.relationships, report.digest) == wanted
    assert wanted[1] == 299
    assert report.bytes_after == snapshot.size_bytes(store) < 0.7 * report.bytes_before
    assert server.status(server_paths, COPY).state == "stopped"
    assert store.password_file.read_text().strip() == password
    assert [f.name for f in store.home.parent.iterdir() if "new" in f.name] == []
