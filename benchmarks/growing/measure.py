"""What a graph of some size does, measured: claims, records, reward, pruning, a restart."""

import asyncio
import random
import statistics
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psutil
from claim import given_back

from graphcrawl import rewards, server
from graphcrawl.config import Paths, Settings
from graphcrawl.connection import connect
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.models import Claim, Fetched, Grant, Link, Outcome, Page
from graphcrawl.recorded import RecordOptions
from graphcrawl.urls import host_key
from growing.load import url_of
from growing.web import host_sizes

PAGES = 64
WARM_CLAIMS = 100
GRANTED, PUSHES = 100, 11  # pages granted before each push, pushes that are measured
_DAMPING = 0.5
_MIB = 2**20


@dataclass(frozen=True, slots=True)
class Known:
    """How many pages each host has."""

    sizes: tuple[int, ...]

    @classmethod
    def of(cls, pages: int, seed: int) -> "Known":
        """Return what a web of this size and seed has."""
        return cls(tuple(host_sizes(pages, seed).tolist()))

    def some(self, host: int, rng: random.Random) -> str:
        """Return a page of a host; its first pages are linked to most."""
        return url_of(host, int(rng.random() ** 2 * self.sizes[host]))


async def measure(
    settings: Settings, pages: int, *, seed: int, claims: int, record_s: float
) -> dict[str, Any]:
    """Measure the graph of these settings, which `load.build` made; it is changed by that.

    Args:
        settings: Of the graph.
        pages: With which it was built.
        seed: With which it was built.
        claims: To measure, quiet and beside a recorder each.
        record_s: Seconds to record for.
    """
    paths, rng = Paths.locate(settings.home), random.Random(seed)
    known, own, found = Known.of(pages, seed), psutil.Process(), dict[str, Any]()
    async with connect(settings) as graph:
        size = (await graph.run("reward/size"))[0]
        found |= {"neurons": size["neurons"], "axons": size["axons"]}
        claimer = Neo4jFrontier(graph, "bench", "claimer")
        recorder = Neo4jFrontier(graph, "bench", "recorder")
        await _claim(claimer, WARM_CLAIMS)
        quiet = await _claim(claimer, claims)
        await _record(
            recorder, known, rng, record_s / 2
        )  # plans, caches and Java's compiler warm up
        before = own.memory_info().rss
        found["record_pages_per_s"] = round(await _record(recorder, known, rng, record_s))
        busy = asyncio.create_task(_record(recorder, known, rng, None))
        loaded = await _claim(claimer, claims)
        busy.cancel()
        await asyncio.wait([busy])
        found |= {
            "claim_ms_median": round(statistics.median(quiet), 1),
            "claim_ms_p95": round(statistics.quantiles(quiet, n=20)[-1], 1),
            "claim_loaded_ms_p95": round(statistics.quantiles(loaded, n=20)[-1], 1),
        }
        await rewards.distribute(graph)
        found["propagate1_s"] = round((await rewards.distribute(graph)).total_s, 2)
        found["propagate10_s"] = round((await rewards.distribute(graph, iterations=10)).total_s, 2)
        found["local_update_ms"] = await local_update(graph, known, rng)
    found["restart_s"], running = await _restart(settings, paths)
    found["store_bytes"] = _store_bytes(paths, settings.graph)
    async with connect(settings) as graph:
        pruned = await rewards.prune(
            graph,
            archive_dir=paths.archives / settings.graph,
            keep=(await graph.run("reward/size"))[0]["neurons"] // 2,
            spare_distributions=0,
            spare_s=0.0,
        )
        found["prune_per_s"] = round(pruned.neurons / pruned.seconds)
        found["pruned"] = pruned.neurons
        found["python_rss_mib"] = round(own.memory_info().rss / _MIB)
        found["python_rss_growth_mib"] = round((own.memory_info().rss - before) / _MIB)
        found["server_rss_mib"] = round(running.process.memory_info().rss / _MIB)
    await server.down(paths, settings.graph)  # checkpoints: logs are gone
    found["store_bytes_after_prune"] = _store_bytes(paths, settings.graph)
    return found


async def local_update(graph: Graph, known: Known, rng: random.Random) -> float:
    """Return what pushing grants of 10 points to 100 pages takes: the median, in milliseconds.

    The graph is of mode `steady` meanwhile. Its reward is computed as a whole, and one push warms
    up, before anything is measured.
    """
    await graph.run("reward/set_mode", mode="steady", change=True)
    options = rewards.record_options(RecordOptions(), "steady", _DAMPING)
    frontier = Neo4jFrontier(graph, "bench", "granter", options)
    times = []
    await rewards.push(graph, damping=_DAMPING)
    for _ in range(1 + PUSHES):
        hosts = [rng.randrange(len(known.sizes)) for _ in range(GRANTED)]
        urls = dict.fromkeys(known.some(host, rng) for host in hosts)
        await frontier.seed([Seed(url, host_key(url), 10.0) for url in urls])
        report = await rewards.push(graph, damping=_DAMPING)
        if report.whole:
            raise SystemExit(f"A push became a distribution: {report.why}.")
        times.append(1000 * report.seconds)
    await graph.run("reward/set_mode", mode="neural", change=True)
    return round(statistics.median(times[1:]), 1)


async def _restart(settings: Settings, paths: Paths) -> tuple[float, server.Running]:
    """Kill the server; return the seconds until the first claim, and the server."""
    running = server.find(paths, settings.graph)
    if running is None:
        raise SystemExit("No embedded server: unset NEO4J_URI.")
    running.process.kill()
    await asyncio.to_thread(running.process.wait)
    started = time.perf_counter()
    running = await server.up(paths, settings.graph, settings.server)
    async with connect(settings) as graph:
        await _claim(Neo4jFrontier(graph, "bench", "claimer"), 1)
    return round(time.perf_counter() - started, 1), running


def _store_bytes(paths: Paths, graph: str) -> int:
    """Return what the store and its transaction logs take on the disk."""
    files = (path for path in (paths.graph(graph) / "data").rglob("*") if path.is_file())
    return sum(path.stat().st_size for path in files)


async def _claim(frontier: Neo4jFrontier, claims: int) -> list[float]:
    """Return what claims took, in milliseconds; hosts are given back in between."""
    times = []
    for _ in range(claims):
        started = time.perf_counter()
        claimed = await frontier.claim(pages=PAGES, per_host=1, lease_s=600)
        times.append(1000 * (time.perf_counter() - started))
        if not claimed:
            raise SystemExit("Nothing waits any more: measure fewer claims.")
        await frontier.record([], given_back(claimed))
    return times


async def _record(
    frontier: Neo4jFrontier, known: Known, rng: random.Random, seconds: float | None
) -> float:
    """Record batches; return pages per second of recording."""
    pages, spent = 0, 0.0
    began = time.perf_counter()
    while seconds is None or time.perf_counter() - began < seconds:
        claims = await frontier.claim(pages=PAGES, per_host=1, lease_s=600)
        outcomes = [visited(claim, known, rng) for claim in claims]
        started = time.perf_counter()
        await frontier.record(outcomes, given_back(claims))
        pages, spent = pages + len(claims), spent + time.perf_counter() - started
    return pages / spent


def visited(claim: Claim, known: Known, rng: random.Random) -> Outcome:
    """Return a page of 50 links: 38 to known pages of its site, 7 to new ones, 5 elsewhere."""
    host = int(claim.host.split(".")[1].removeprefix("site-"))
    others = [rng.randrange(len(known.sizes)) for _ in range(5)]
    urls = [known.some(host, rng) for _ in range(50)]
    urls = [*dict.fromkeys(urls)][:38]
    urls += [
        f"https://{claim.host}/new/{rng.getrandbits(48):x}.html" for _ in range(45 - len(urls))
    ]
    urls += [known.some(other, rng) for other in others]
    links = tuple(
        Link(url, host_key(url), anchor="the text of a link", position="main", raw=url[20:])
        for url in dict.fromkeys(urls)
        if url != claim.url
    )
    page = Page("A title", "en", links=links, grants=(Grant("job", 1, "text"),), digest=claim.url)
    fetched = Fetched(claim.url, 200, b"", "text/html", "utf-8", datetime.now(UTC), 0.1)
    return Outcome(claim, fetched, page)
