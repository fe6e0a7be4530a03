"""Reader processes that die, hang and outlive nobody. Real processes."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import psutil
import pytest

from graphcrawl.errors import GraphcrawlError, ReadError
from graphcrawl.models import Fetched, Reason
from graphcrawl.readers import ReaderPool, ReadOptions
from graphcrawl.scoring.reward import Rules
from graphcrawl.urls import Scope

RULES = Rules("none", (), 0, 0, "")
OPTIONS = ReadOptions(RULES, Scope.of(["http://a.example/"], "any"), text="none")
HANGING = b"<a href=/this/hangs>"


class DeadlyScope(Scope):
    """Ends or stops the process that judges a link to /deadly or /hangs, as no real page should."""

    def verdict(self, url: str, depth: int) -> Reason | None:
        if url.endswith("/deadly"):
            os._exit(1)
        while url.endswith("/hangs"):
            pass
        return super().verdict(url, depth)


def page(name: str, body: bytes = b"<title>ok</title><a href=/x>") -> Fetched:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Fetched(f"http://a.example/{name}", 200, body, "text/html", "utf-8", now, 0.1)


def readers_of(pid: int) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # a zombie counts as gone
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


async def standing_readers() -> list[psutil.Process]:
    """The readers that are there when those for single pages are gone."""
    readers = readers_of(os.getpid())
    for _ in range(200):
        await asyncio.sleep(0.05)
        before, readers = readers, readers_of(os.getpid())
        if len(readers) <= 1 and readers == before:
            break
    return readers


def all_gone(readers: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(readers, timeout=20)[1]


async def test_many_pages_at_once_come_back_as_their_own():
    async with ReaderPool(OPTIONS, 2) as pool:
        names = [f"page-{i}" for i in range(60)]
        pages = await asyncio.gather(
            *(pool.read(page(name, f"<title>{name}</title>".encode()), 0) for name in names)
        )
    assert [read.title for read in pages] == names
    assert all_gone(readers_of(os.getpid()))


async def test_a_killed_reader_costs_no_page():
    async with ReaderPool(OPTIONS, 1) as pool:
        assert (await pool.read(page("before"), 0)).title == "ok"
        (reader,) = readers_of(os.getpid())
        reader.kill()
        pages = await asyncio.gather(*(pool.read(page(f"p{i}"), 0) for i in range(8)))
        (successor,) = await standing_readers()
        pages.append(await pool.read(page("after"), 0))
        assert await standing_readers() == [successor]
    assert [read.title for read in pages] == ["ok"] * 9


async def test_a_page_that_hangs_fails_alone():
    async with ReaderPool(
        replace(OPTIONS, scope=DeadlyScope.of([], "any")), 1, page_timeout_s=3
    ) as pool:
        outcomes = await asyncio.gather(
            pool.read(page("hangs", HANGING), 0),
            *(pool.read(page(f"p{i}"), 0) for i in range(4)),
            return_exceptions=True,
        )
        assert isinstance(outcomes[0], ReadError)
        assert "http://a.example/hangs takes longer than 3 s" in outcomes[0].message
        assert [getattr(read, "title", read) for read in outcomes[1:]] == ["ok"] * 4
    assert all_gone(readers_of(os.getpid()))


async def test_a_page_that_kills_readers_fails_alone():
    options = replace(OPTIONS, scope=DeadlyScope.of([], "any"))
    async with ReaderPool(options, 1) as pool:
        outcomes = await asyncio.gather(
            pool.read(page("kills", b"<a href=/deadly>"), 0),
            *(pool.read(page(f"p{i}"), 0) for i in range(4)),
            return_exceptions=True,
        )
    assert isinstance(outcomes[0], ReadError)
    assert outcomes[0].message == "http://a.example/kills kills the process that reads it."
    assert [getattr(read, "title", read) for read in outcomes[1:]] == ["ok"] * 4
    assert all_gone(readers_of(os.getpid()))


async def test_ctrl_c_does_not_reach_readers():
    async with ReaderPool(OPTIONS, 1) as pool:
        (reader,) = readers_of(os.getpid())
        reader.send_signal(signal.SIGINT)
        assert (await pool.read(page("after"), 0)).title == "ok"
        assert readers_of(os.getpid()) == [reader]


CRAWL = """
import asyncio, sys
sys.path[:0] = {path!r}
from test_reader_pool import OPTIONS, ReaderPool
async def main():
    async with ReaderPool(OPTIONS, 1):
        print("ready", flush=True)
        await asyncio.sleep(600)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_readers_end_with_a_crawl_that_is_killed(tmp_path):
    script = tmp_path / "crawl.py"
    script.write_text(CRAWL.format(path=sys.path))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as crawl:
        assert crawl.stdout is not None
        assert crawl.stdout.readline() == "ready\n"
        readers = readers_of(crawl.pid)
        assert len(readers) == 1
        crawl.kill()
    assert all_gone(readers)


async def test_a_parser_that_does_not_load_is_no_fault_of_pages(tmp_path, monkeypatch):
    (tmp_path / "trafilatura.py").write_text("raise ImportError('lxml.html.clean is missing')")
    monkeypatch.syspath_prepend(tmp_path)  # a spawned process begins with this one's path
    with pytest.raises(GraphcrawlError, match=r"lxml\.html\.clean is missing"):
        async with ReaderPool(replace(OPTIONS, text="useful"), 1):
            pass
