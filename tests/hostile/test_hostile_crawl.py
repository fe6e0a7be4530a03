"""One real crawl through the whole hostile web: every page has its stated end, and it goes on."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import hostile_http
import hostile_tls
import neo4j
import psutil
import pytest
from hostile_server import SECRET, Authority, Behaviour, HostileWeb, Talk, hostile_web, page

from graphcrawl.config import load_settings
from graphcrawl.crawl import Stats
from graphcrawl.crawl import run as crawl_run
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph
from graphcrawl.urls import canonical

BEHAVIOURS = [b for b in (*hostile_http.BEHAVIOURS, *hostile_tls.BEHAVIOURS) if not b.flood]
HONEST, MAZE = "honest.example", "maze.example"
HONEST_PAGES, MAZE_DEPTH = 12, 15
MEMORY_BYTES = 500 * 2**20  # of the crawl, its readers and the hostile servers together
_NODES = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"
_AXONS = "MATCH ()-[r]->() RETURN properties(r) AS properties"

Row = dict[str, Any]


async def honest(talk: Talk) -> None:
    """Serve pages in a chain; the first one links to all that is hostile."""
    number = int(talk.target.strip("/") or 0)
    links = [f"http://{HONEST}/{number + 1}"] if number + 1 < HONEST_PAGES else []
    if number == 0:
        secret = f"http://user:{SECRET}@{HONEST}/1"
        links += [url for b in BEHAVIOURS for url in b.urls]
        links += [secret, f"http://{MAZE}/0", *hostile_http.PRIVATE.values()]
    anchors = "".join(f"<p><a href='{url}'>link</a></p>" for url in links)
    talk.page(body=page(f"honest {number}", anchors))


async def maze(talk: Talk) -> None:
    """Link to one page more, for ever."""
    number = int(talk.target.strip("/") or 0)
    talk.page(body=page(f"maze {number}", f"<a href='/{number + 1}'>on</a>"))


@dataclass
class Crawled:
    """What the crawl left."""

    web: HostileWeb
    stats: Stats
    pages: dict[str, Row]  # by URL, with `labels`
    everything: str  # all that the graph holds, as text
    seconds: float
    most_bytes: int
    complaints: list[str]  # what was logged as an error of ours


class _Complaints(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


@pytest.fixture(scope="module")
async def crawled(
    neo4j_address: Any, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Crawled]:
    from graphcrawl import schema

    hostile_http.pack_bombs()
    authority = Authority(tmp_path_factory.mktemp("tls"))
    complaints = _Complaints()
    logging.getLogger("graphcrawl").addHandler(complaints)
    plan = crawl_run.plan_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority.pem))
        # end when the next host is due in more than a second
        patch.setattr(crawl_run, "plan_of", lambda of: replace(plan(of), patience_s=1.0))
        async with (
            hostile_web(BEHAVIOURS, {HONEST: honest, MAZE: maze}, authority) as web,
            Graph.open(neo4j_address) as graph,
        ):
            await graph.run_schema("MATCH (n) DETACH DELETE n")
            await schema.prepare(graph, "test")
            resolve = [f"{r.host}:{r.port}:{r.address}:{r.to_port}" for r in web.resolve()]
            settings = load_settings(
                contact="crawler@test.example",
                crawl={
                    "delay": 0,
                    "scope": "any",
                    "max_pages": 0,
                    "max_depth": MAZE_DEPTH,
                    "max_time": 80,
                    "max_tries": 1,
                    "concurrency": 48,
                    "connect_timeout": 3,
                    "read_timeout": 1.5,
                    "total_timeout": 6,
                    "max_body": 2**20,
                    "max_feed": 2**20,
                    "text": "all",
                    "resolve": tuple(resolve),
                },
            )
            memory = asyncio.create_task(_watch_memory())
            begun = time.monotonic()
            stats = await run_crawl(graph, Inputs.check(settings, [f"http://{HONEST}/0"]))
            seconds = time.monotonic() - begun
            memory.cancel()
            most_bytes = await memory
            nodes, axons = await _rows(graph, _NODES), await _rows(graph, _AXONS)
            pages = {
                row["properties"]["url"]: row["properties"] | {"labels": row["labels"]}
                for row in nodes
                if "PageNeuron" in row["labels"]
            }
            print(f"{stats.requests} requests, {seconds:.1f} s, {most_bytes >> 20} MiB")
            everything = repr(nodes) + repr(axons)
            yield Crawled(web, stats, pages, everything, seconds, most_bytes, complaints.said)
    logging.getLogger("graphcrawl").removeHandler(complaints)


async def _rows(graph: Graph, query: str) -> list[Row]:
    at = graph.address
    async with neo4j.AsyncGraphDatabase.driver(at.uri, auth=(at.user, at.password)) as driver:
        found = await driver.execute_query(query, database_=at.database)
    return [record.data() for record in found.records]


async def _watch_memory() -> int:
    """Return the most bytes that this process and its readers took beyond what it had."""
    process, most = psutil.Process(), 0
    before = process.memory_info().rss
    try:
        while True:
            taken = process.memory_info().rss - before
            for reader in process.children(recursive=True):
                if "java" not in reader.name():  # one that is just forked shares all with this one
                    taken += reader.memory_full_info().uss
            most = max(most, taken)
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        return most


def expected_end(behaviour: Behaviour) -> tuple[str, str | None]:
    """Return label and reason of the last page of a behaviour; a try is all that it gets."""
    match behaviour.end.split() or behaviour.outcome.split():
        case ["fetched", *_]:
            return "Fetched", None
        case ["redirected"] if behaviour.name == "to-itself":
            return "Failed", "redirect-loop"
        case ["redirected"]:
            return "Excluded", "redirect"
        case ["redirected", "nowhere"]:
            return "Failed", "protocol"
        case ["type" | "too-long" as reason]:
            return "Excluded", reason
        case [reason, *_]:
            return "Failed", reason
    raise AssertionError(behaviour.outcome)


@pytest.mark.timeout(150)
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda b: b.name)
def test_its_page_has_its_end(crawled: Crawled, behaviour: Behaviour) -> None:
    found = crawled.pages[behaviour.urls[-1]]
    if behaviour.name.startswith("tls-") and behaviour.outcome in {
        "tls",
        "tls retry",
        "timeout retry",
    }:
        # its robots.txt cannot be had: nothing is asked, and it is tried again later
        assert "Frontier" in found["labels"]
        assert found["error"].startswith("robots-unreachable")
        return
    if behaviour.name == "retry-after-3":  # its wish is granted, and a long one it is
        assert "Frontier" in found["labels"]
        return
    label, reason = expected_end(behaviour)
    assert (label in found["labels"], found.get("reason")) == (True, reason), found
    assert behaviour.detail in (found.get("error") or "")


def test_the_crawl_goes_on(crawled: Crawled) -> None:
    for number in range(HONEST_PAGES):
        found = crawled.pages[f"http://{HONEST}/{number}"]
        assert "Fetched" in found["labels"]
        assert found["title"] == f"honest {number}"
    assert crawled.stats.stop_reason == "hosts"
    assert crawled.complaints == []
    assert crawled.seconds < 80


def test_a_maze_ends_at_the_limit_of_depth(crawled: Crawled) -> None:
    numbers = [int(url.rpartition("/")[2]) for url in crawled.pages if MAZE in url]
    assert max(numbers) == MAZE_DEPTH  # of page MAZE_DEPTH - 1; it was named by the first page
    assert crawled.pages[f"http://{MAZE}/{MAZE_DEPTH}"]["reason"] == "depth"


@pytest.mark.parametrize("name", hostile_http.PRIVATE)
def test_no_private_address_is_asked(crawled: Crawled, name: str) -> None:
    found = crawled.pages[canonical(hostile_http.PRIVATE[name]) or ""]
    assert ("Excluded" in found["labels"], found["reason"]) == (True, "address")


def test_the_graph_holds_no_secret_and_no_answer_to_another_question(crawled: Crawled) -> None:
    assert SECRET not in crawled.everything
    assert not [page for page in crawled.pages.values() if page.get("title") == "evil"]
    heads = b"".join(head for heads in crawled.web.heads.values() for head in heads).lower()
    for word in (b"\ncookie:", b"\nauthorization:", SECRET.encode()):
        assert word not in heads


def test_robots_txt_was_asked_first_everywhere(crawled: Crawled) -> None:
    for host, heads in crawled.web.heads.items():
        assert b"/robots.txt" in heads[0], host


def test_memory_stays_under_its_cap(crawled: Crawled) -> None:
    assert 0 < crawled.most_bytes < MEMORY_BYTES
