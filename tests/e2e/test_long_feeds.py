"""A feed too long for memory, over several readings: whole, broken off, no feed, stopped, whole."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from peek import peek

from graphcrawl import look
from graphcrawl.config import load_settings
from graphcrawl.crawl import Stats
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.run import run_crawl
from graphcrawl.feed_reader import FeedReader
from graphcrawl.graph import Graph
from graphcrawl.models import Fetched

JOBS = 1300
READ = """MATCH (f:JobFeed) RETURN f.readJobs AS jobs, f.readWhole AS whole, f.readEnded AS ended,
f.readUnreadBytes AS unread, f.readGone AS gone, f.readingUntil AS until, f:Frontier AS waits"""
ROWS = (
    "MATCH (j:Job) WHERE j.goneAt IS NULL RETURN count(j) AS jobs, count(DISTINCT j.ownId) AS ids"
)


def feed(first: int, last: int) -> bytes:
    text = "We look for you. " * 120
    jobs = (
        f"<job><title>Job {n}</title><referencenumber>{n}</referencenumber><city>Graz</city>"
        f"<url>http://board.example/{n}</url><description>{text}</description></job>"
        for n in range(first, last)
    )
    return f"<?xml version='1.0'?><source>{''.join(jobs)}</source>".encode()


class Board:
    """Serves `body` under /jobs.xml; says it has `said` bytes."""

    def __init__(self) -> None:
        self.body, self.said, self.media_type = b"", 0, "application/xml"
        board = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_feed = self.path == "/jobs.xml"
                self.send_response(200 if is_feed else 404)
                self.send_header("Content-Type", board.media_type if is_feed else "text/plain")
                self.send_header("Content-Length", str(board.said if is_feed else 0))
                self.end_headers()
                self.wfile.write(board.body if is_feed else b"")

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jobs.xml"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, body: bytes, *, missing: int = 0, media_type: str = "application/xml") -> None:
        self.body, self.said, self.media_type = body, len(body) + missing, media_type


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.server.shutdown()
    made.server.server_close()


async def test_the_readings_of_a_long_feed(graph: Graph, board: Board, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, crawl={"delay": 0, "allow_private": True, "parsers": 1})

    async def crawl(*, read_feeds: bool = True, stop_at_jobs: int = 0) -> Stats:
        begun: list[Start] = []
        run = asyncio.create_task(
            run_crawl(
                graph,
                Inputs.check(settings, [board.url]),
                read_feeds=read_feeds,
                on_start=begun.append,
            )
        )
        while stop_at_jobs and not run.done():
            await asyncio.sleep(0.01)
            if begun and begun[0].crawl.stats.jobs >= stop_at_jobs:
                begun[0].crawl.stop("interrupted")
                break
        return await run

    async def read() -> dict[str, Any]:
        [row] = await peek(graph, READ)
        return row

    whole = {"jobs": JOBS, "whole": True, "ended": None, "unread": None, "gone": 0}
    board.serve(feed(0, JOBS))
    stats = await crawl()
    assert (stats.feeds, stats.jobs, stats.new_jobs) == (1, JOBS, JOBS)
    assert await read() == whole | {"until": None, "waits": False}
    assert await peek(graph, ROWS) == [{"jobs": JOBS, "ids": JOBS}]

    board.serve(feed(1, JOBS + 9)[:-90_000], missing=90_000)  # the connection breaks
    stats = await crawl()
    assert (stats.gone_jobs, stats.changed_jobs) == (0, 0)
    broken = await read()
    assert (broken["whole"], broken["ended"], broken["unread"]) == (False, "connection", 90_000)
    assert JOBS - 60 < broken["jobs"] < JOBS
    [shown] = await look.feeds(graph)
    assert shown.jobs >= JOBS

    board.serve(b"<html><p>We are back soon", media_type="text/html")
    await crawl()
    [shown] = await look.feeds(graph)
    assert shown.error is not None and shown.error.startswith("feed: what came this time is no")
    assert shown.jobs >= JOBS

    board.serve(feed(2, JOBS))
    stats = await crawl(stop_at_jobs=500)
    assert (stats.stop_reason, stats.gone_jobs) == ("interrupted", 0)
    stopped = await read()
    assert (stopped["whole"], stopped["ended"], stopped["waits"]) == (False, "stopped", True)
    assert 500 <= stopped["jobs"] < JOBS

    stats = await crawl(read_feeds=False)  # it is due since it was not read to its end
    assert stats.jobs == JOBS - 2
    assert (await read())["whole"]
    assert await peek(graph, ROWS) == [{"jobs": JOBS - 2, "ids": JOBS - 2}]
    assert not list((tmp_path / "state/spool").iterdir())


async def test_a_reader_that_dies_ends_the_reading(tmp_path: Path) -> None:
    file = tmp_path / "body"
    file.write_bytes(feed(0, 2600))
    now = datetime(2026, 11, 30, tzinfo=UTC)
    fetched = Fetched("http://a.example/", 200, b"", "text/xml", "", now, 0.1, spooled=str(file))
    reader = FeedReader(fetched)
    sizes = []
    async for postings in reader.batches():
        sizes.append(len(postings))
        if len(sizes) == 2:
            reader.stop()
    assert 2 <= len(sizes) <= 3
    assert (reader.reading.whole, reader.reading.ended) == (False, "reader")
