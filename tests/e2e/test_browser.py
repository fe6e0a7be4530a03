"""Neo4j Browser in a headless Chromium, on the embedded server; and the copy that may be hurt."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import in_browser
import pytest
from servers import SMALL

from graphcrawl import browse, saved_queries, schema, server
from graphcrawl.browse import serving
from graphcrawl.config import Paths
from graphcrawl.errors import Neo4jAuthError
from graphcrawl.export import What, export, lines, restore
from graphcrawl.frontier import Neo4jFrontier
from graphcrawl.graph import Address, Graph
from graphcrawl.server import copies

GREEN, DARK, PINK, BLUE, YELLOW = "#6DBE6D", "#1E7B3C", "#E84E8A", "#8CBEDD", "#FFE08A"
# seed → jobs → feed, jobs → next, which waits, and export, which was paid richly, → feed.
SAMPLE = """
CREATE (s:PageNeuron:Fetched:Seed {url: 'http://a.example/', host: 'a.example', title: 'Start',
          reward: 9.0}),
       (j:PageNeuron:Fetched:Rewarded {url: 'http://a.example/jobs', host: 'a.example',
          title: 'Jobs', reward: 99.0, baseReward: 99.0}),
       (r:PageNeuron:Fetched:Rewarded:RichlyRewarded {url: 'http://a.example/export',
          host: 'a.example', title: 'Export', reward: 80.0, baseReward: 1000.0}),
       (f:PageNeuron:Fetched:JobFeed {url: 'http://a.example/feed.xml', host: 'a.example',
          feedJobs: 3, feedForm: 'rss', reward: 50.0}),
       (n:PageNeuron:Frontier {url: 'http://a.example/next', host: 'a.example', reward: 1.0}),
       (s)-[:LINK_AXON {weight: 1.0, anchor: 'jobs'}]->(j),
       (j)-[:LINK_AXON {weight: 1.0, anchor: 'RSS'}]->(f),
       (r)-[:LINK_AXON {weight: 1.0, anchor: 'XML'}]->(f),
       (j)-[:LINK_AXON {weight: 1.0, anchor: 'next'}]->(n)
"""


@pytest.fixture
async def running(
    server_paths: Paths, neo4j_address: Address, graph: Graph
) -> AsyncIterator[server.Running]:
    """The tests' own embedded server, with a small graph in it; its copy is deleted again."""
    found = server.find(server_paths, neo4j_address.graph)
    if found is None:
        pytest.skip("needs an embedded server; GRAPHCRAWL_TEST_NEO4J_URI names another one")
    await graph.run_schema(SAMPLE)
    yield found
    await server.reset(server_paths, copies.copy_name(found.name))


async def test_favourites_are_drawn_in_chromium(running: server.Running) -> None:
    pytest.importorskip("playwright", reason="no Playwright: pip install graphcrawl[browser-test]")
    if in_browser.chromium() is None:
        pytest.skip("no Chromium on this machine")
    server.require_browser(running)
    favourites, style, _ = browse.lay_out(running.home / "browser")
    async with in_browser.page() as page:
        with serving.serving(browse.guide()) as guide_url:
            opened = serving.opening(running.browser_url, guide_url)
            await in_browser.sign_in(page, opened, running.address.password)
            await page.get_by_role("heading", name="What you see").wait_for()
            width = await page.evaluate("document.body.offsetWidth")
            assert width == 1400  # the guide's style leaves the rest of the page alone
        await in_browser.drop(page, style)
        await in_browser.drop(page, favourites)
        titles = await in_browser.open_favourites(page)
        assert sorted(titles) == sorted(saved.title for saved in saved_queries.listed())
        drawn = {
            name: sorted(
                (circle["fill"], circle["radius"])
                for circle in await in_browser.run_favourite(page, saved_queries.find(name).title)
            )
            for name in ("neighbours", "feeders", "feeds")
        }
    seed, jobs, feed, waits = (BLUE, 32.5), (GREEN, 25), (PINK, 40), (YELLOW, 20)
    rich = (DARK, 32.5)
    assert drawn == {
        "neighbours": sorted([seed, jobs, feed, waits]),
        "feeders": sorted([seed, jobs, rich, feed]),
        "feeds": sorted([jobs, rich, feed]),
    }


async def test_a_copy_is_whole_and_hurts_nothing(
    server_paths: Paths, running: server.Running, tmp_path: Path
) -> None:
    acknowledged = 0

    async def write() -> None:
        nonlocal acknowledged
        async with Graph.open(running.address) as graph:
            while True:
                await graph.run_schema("CREATE (:Job {key: randomUUID(), firstSeenAt: datetime()})")
                acknowledged += 1

    writing = asyncio.create_task(write())
    try:
        while acknowledged < 20:
            await asyncio.sleep(0.05)
        before = acknowledged
        await copies.copy(server_paths, running.name)
        reached = acknowledged
        while acknowledged == reached:  # the crawl's own server goes on
            await asyncio.sleep(0.05)
    finally:
        writing.cancel()
    copy = await copies.start(server_paths, running.name, SMALL)
    assert copy.address.password != running.address.password
    wrong = Address(copy.address.uri, copy.address.user, running.address.password)
    with pytest.raises(Neo4jAuthError):
        async with Graph.open(wrong):
            pass
    async with Graph.open(copy.address) as graph:
        assert (await graph.run("schema/meta"))[0]["graph"] == copy.name
        counts = (await graph.run("look/counts"))[0]
        assert (counts["neurons"], counts["axons"]) == (5, 4)
        changes = {row["what"]: row["count"] for row in await graph.run("explore/changes")}
        assert before <= changes["jobs new"] <= acknowledged + 1  # all that was acknowledged before
        await graph.run_schema("MATCH (n) DETACH DELETE n")  # whatever is done there …
        await _goes_on_the_same(running, graph, copy.name, tmp_path / "copy.jsonl.gz")
    async with Graph.open(running.address) as graph:
        assert (await graph.run("look/counts"))[0]["neurons"] == 5  # … hurts nothing here


# 300 pages of 30 hosts. No two have one priority: of those the order of a store would decide.
WAITING = """
UNWIND range(1, 300) AS i
WITH i, 'h' + toString(i % 30) + '.example' AS host
MERGE (h:Host {name: host}) SET h.bestPriority = 7.0
CREATE (:PageNeuron:Frontier {url: 'http://' + host + '/' + toString(i), host: host, neuronId: i,
  priority: i * 7919 % 8 + i / 1000.0, reward: 1.0, depth: 1, inLinks: 1, strength: 0.0, number: i,
  grants: [], discoveredAt: datetime()})
"""


async def _goes_on_the_same(running: server.Running, other: Graph, name: str, file: Path) -> None:
    """A whole graph, exported and put into the other server's store, has the same next 100."""
    async with Graph.open(running.address) as graph:
        await graph.run_schema("MATCH (n:Job) DELETE n")
        await graph.run_schema(WAITING)
        await export(graph, What.GRAPH, file, name="test")
        await schema.prepare(other, name)
        head = lines.check(file)
        await restore.read(other, file, name, head, lambda _: None)
        expected = await _next_pages(graph)
        await graph.run_schema("MATCH (n:PageNeuron) WHERE n.host <> 'a.example' DELETE n")
    assert len(expected) == 100
    assert await _next_pages(other) == expected


async def _next_pages(graph: Graph) -> list[str]:
    frontier = Neo4jFrontier(graph, "test", "test")
    return [c.url for c in await frontier.claim(pages=100, per_host=5, lease_s=60)]
