"""Three workers on one web: one is killed, all are paused; no page is lost or counted twice."""

import asyncio
import itertools
import json
import os
import signal
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable

import psutil
import pytest
from peek import peek
from processes import CRAWL, OF_ORIGINS, Start, document

from graphcrawl.demo.site import DemoSite, Request, listen
from graphcrawl.demo.web import Web, generate
from graphcrawl.graph import Graph

DELAY_S = 0.05
SLACK_S = 0.005  # the server's log is written a moment after a request is sent
STATES = """
MATCH (p:PageNeuron)
RETURN count(CASE WHEN p:Leased THEN 1 END) AS leased,
       count(CASE WHEN p:Frontier THEN 1 END) AS waiting, count(p) AS pages
"""
TOLD = """
MATCH (c:Crawl)
RETURN sum(c.fetched) AS fetched, sum(c.redirected) AS redirected, sum(c.failed) AS failed,
       count(c.partOf) AS others
"""
FETCHED = "MATCH (p:Fetched) RETURN p.url AS url"


def member_processes(of: int) -> list[psutil.Process]:
    children = psutil.Process(of).children()
    return [p for p in children if "graphcrawl.crawl.member" in " ".join(p.cmdline())]


def until(what: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + 60
    while not what():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.02)


def shortest_rests(requests: list[Request]) -> dict[str, float]:
    times: dict[str, list[float]] = defaultdict(list)
    for request in requests:
        times[request.host].append(request.at_s)
    return {
        host: min((b - a for a, b in itertools.pairwise(at)), default=9.0)
        for host, at in times.items()
    }


@pytest.mark.timeout(180)
async def test_three_workers_crawl_a_web_though_one_is_killed_and_all_are_paused(
    start: Start, graph: Graph
) -> None:
    listener = listen()
    web: Web = generate(2, 300, listener.getsockname()[1])
    async with DemoSite(web, listener) as site:
        words = (*web.seeds, "--scope", "any", "--resolve", site.resolve, "--delay", str(DELAY_S))
        crawl = start(*CRAWL, *words, "--max-pages", "90", "--workers", "3")

        def drive() -> tuple[dict[str, object], str]:
            until(lambda: len(member_processes(crawl.pid)) == 2, crawl)
            until(lambda: len(site.requests) > 25, crawl)
            paused = document(start("pause", "--json"))
            assert paused["workers"] >= 2
            time.sleep(2.0)  # it is heard within that time, and what is in flight ends
            asked = len(site.requests)
            time.sleep(0.5)
            assert len(site.requests) == asked
            document(start("resume", "--json"))
            until(lambda: len(site.requests) > asked + 10, crawl)
            for victim in member_processes(crawl.pid)[:1]:
                os.kill(victim.pid, signal.SIGKILL)
            out, err = crawl.communicate(timeout=120)
            assert crawl.returncode == 0, err
            return json.loads(out), err

        summary, err = await asyncio.to_thread(drive)
        requests = list(site.requests)
    (told,), (states,) = await peek(graph, TOLD), await peek(graph, STATES)
    fetched = {row["url"] for row in await peek(graph, FETCHED)}
    seen = Counter(web.url(r.host, r.path) for r in requests if r.path not in OF_ORIGINS)
    twice = {url: n for url, n in seen.items() if n > 1}
    assert summary["stop_reason"] == "pages"
    assert (summary["workers"], summary["workers_died"]) == (3, 1), err
    assert told["others"] == 3  # two, and one in the place of the killed one
    assert states["leased"] == 0
    assert told["fetched"] == len(fetched)  # each counted once, by whoever recorded it
    assert fetched <= seen.keys()
    # Only what was in flight at the kill is asked for twice, and no budget is lost or exceeded.
    assert len(twice) <= 16, twice
    assert told["fetched"] + told["redirected"] + told["failed"] == 90
    rests = shortest_rests(requests)
    assert min(rests.values()) >= DELAY_S - SLACK_S, rests


@pytest.mark.timeout(180)
async def test_a_crew_is_interrupted_and_a_worker_joins_waits_and_is_stopped(
    start: Start, graph: Graph
) -> None:
    listener = listen()
    web = generate(3, 300, listener.getsockname()[1])
    async with DemoSite(web, listener) as site:
        words = (web.seeds[0], "--scope", "host", "--resolve", site.resolve, "--delay", "0.1")

        def drive() -> dict[str, object]:
            crawl = start(*CRAWL, *words, "--order", "bfs", "--workers", "2")
            until(lambda: len(site.requests) > 5 and len(member_processes(crawl.pid)) == 1, crawl)
            members = member_processes(crawl.pid)
            crawl.send_signal(signal.SIGINT)  # Ctrl-C ends all of them, well
            first = document(crawl, code=130)
            assert (first["stop_reason"], first["workers_died"]) == ("interrupted", 0)
            assert not any(member.is_running() for member in members)
            asked = len(site.requests)
            worker = start("work", "--concurrency", "2", "--json")
            until(
                lambda: len(site.requests) > asked + 3, worker
            )  # by the scope and addresses of the crawl
            assert document(start("stop", "--wait", "--json"))["workers"] == 1
            return document(worker)

        summary = await asyncio.to_thread(drive)
        hosts = {request.host for request in site.requests}
    assert summary["stop_reason"] == "stopped"
    assert len(hosts) == 1
    (states,) = await peek(graph, STATES)
    assert states["leased"] == 0
    rows = await peek(graph, "MATCH (c:Crawl) RETURN DISTINCT c.order AS by")
    assert [row["by"] for row in rows] == ["bfs"]
