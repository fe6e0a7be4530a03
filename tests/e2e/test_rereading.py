"""Job feeds that change while crawls run: real processes, real HTTP on loopback, a real Neo4j."""

import asyncio
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from peek import peek
from processes import CRAWL, Start, document

from graphcrawl import look
from graphcrawl.graph import Graph

DUE = """
MATCH (f:JobFeed) WHERE f.visitLearnedAt IS NOT NULL
SET f.nextVisitAt = datetime() - duration('PT1S') RETURN f.url AS url
"""


class Board:
    """A page that links to a job feed, and the feed, whose jobs a test changes."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.jobs = {"1": "Nurse", "2": "Welder", "3": "Cook"}  # title by id
        board = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                board.requests.append(self.path)
                kind, body = board.answer(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str) -> tuple[str, str]:
        if path == "/":
            return "text/html", '<title>Jobs</title><a href="/jobs.xml">All jobs as XML</a>'
        if path != "/jobs.xml":
            return "text/plain", ""
        records = "".join(
            f"<job><referencenumber>{n}</referencenumber><title>{title}</title><company>Acme</company><city>Bern</city>"
            f"<country>CH</country><url>{self.url}{n}</url><description>A job.</description></job>"
            for n, title in self.jobs.items()
        )
        return "application/xml", f'<?xml version="1.0"?><source>{records}</source>'

    @property
    def readings(self) -> int:
        return self.requests.count("/jobs.xml")


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.server.shutdown()
    made.server.server_close()


async def test_the_next_crawl_reads_a_feed_again_once_it_is_due(
    start: Start, board: Board, graph: Graph
) -> None:
    assert document(start(*CRAWL, board.url))["feeds_found"] == 1
    [feed] = document(start("feeds", "--json"))
    assert (feed["url"], feed["jobs"], feed["links"]) == (f"{board.url}jobs.xml", 3, 1)
    assert feed["found_by"] == board.url
    assert document(start(*CRAWL))["pages_fetched"] == 0  # it is not due: it was read just now
    assert [row.interval_s for row in await look.feeds(graph)] == [3600]
    assert board.readings == 1

    board.jobs = {"1": "Nurse", "4": "Baker"}
    assert await peek(graph, DUE) == [{"url": f"{board.url}jobs.xml"}]
    again = document(start(*CRAWL))
    assert (again["pages_fetched"], again["stop_reason"]) == (2, "done")
    assert board.requests[-2:] == ["/jobs.xml", "/4"]  # the new job's page is a new page
    assert board.readings == 2
    document(start(*CRAWL))  # learns from that reading
    assert [row.interval_s for row in await look.feeds(graph)] == [1800]
    assert board.readings == 2
    document(start(*CRAWL, "--read-feeds"))  # due or not
    assert board.readings == 3


async def test_a_watching_crawl_reads_a_feed_when_it_falls_due(
    start: Start, board: Board, graph: Graph
) -> None:
    crawl = start(*CRAWL, "--watch", board.url)
    try:
        await _until(lambda: board.readings == 1)
        while not await peek(graph, DUE):  # as soon as its interval is known
            await asyncio.sleep(0.1)
        await _until(lambda: board.readings == 2)
        assert crawl.poll() is None
    finally:
        crawl.send_signal(signal.SIGTERM)
    out, _ = crawl.communicate(timeout=60)
    assert crawl.returncode == 143
    assert json.loads(out)["stop_reason"] == "terminated"


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "nothing came of it"
        await asyncio.sleep(0.1)


async def test_two_readings_give_exactly_the_rows_that_differ(
    start: Start, board: Board, graph: Graph
) -> None:
    """A feed adds two jobs, changes one and drops one."""

    def titles(*words: str) -> list[str]:
        return sorted(job["title"] for job in document(start("jobs", "--json", *words)))

    board.jobs = {"1": "Nurse", "2": "Welder", "3": "Cook"}
    document(start(*CRAWL, board.url))
    assert titles() == titles("--new") == ["Cook", "Nurse", "Welder"]
    board.jobs = {"1": "Head nurse", "2": "Welder", "4": "Baker", "5": "Tailor"}
    document(start(*CRAWL))
    assert await peek(graph, DUE)
    document(start(*CRAWL))
    assert titles("--new") == ["Baker", "Tailor"]
    assert titles("--changed") == ["Head nurse"]
    assert titles("--gone") == ["Cook"]
    assert titles("--where", "gone=no country=CH") == ["Baker", "Head nurse", "Tailor", "Welder"]
    [feed] = await look.feeds(graph)
    assert (feed.jobs, feed.new, feed.changed, feed.gone, feed.cut) == (4, 2, 1, 1, 0)
    written = start("jobs", "-o", "jobs.csv")
    assert written.communicate(timeout=60)[1].strip() == "5 jobs in jobs.csv"


async def test_new_jobs_come_through_a_pipe_at_once(start: Start, graph: Graph) -> None:
    process = start("jobs", "--follow", "--jsonl", "--where", "country=CH")
    assert process.stdout is not None
    assert process.stderr is not None
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")))
    assert "Ctrl-C ends this" in process.stderr.readline()
    await asyncio.sleep(3)  # the first look passes over what is there
    reader.start()
    for key, country in (("a", "CH"), ("b", "DE")):
        await peek(
            graph,
            "MERGE (g:WriteGate {name: 'jobs'}) SET g.token = coalesce(g.token, 0) + 1 "
            "CREATE (:Job {key: $key, title: 'Nurse', country: $country, firstSeenAt: datetime(),"
            " batch: g.token})",
            key=key,
            country=country,
        )
    await _until(lambda: bool(lines))
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert [json.loads(line)["id"] for line in lines] == ["a"]
    assert "Traceback" not in process.stderr.read()
