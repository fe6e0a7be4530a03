"""Crashes: workers and Neo4j are killed with -9 at random moments; is anything lost or doubled?

    .venv/bin/python benchmarks/crashes.py [--worker-kills 100] [--server-kills 30] --json
    .venv/bin/python benchmarks/crashes.py --equal [--worker-kills 10] --json

Workers (`crawl`'s own loop, frontier and recording; a generated web in memory) crawl, distribute
and prune in an embedded Neo4j of their own, in a folder of its own. A seed decides who is killed
when. After each restart of the server, and at the end, the graph is looked at: `doctor --deep`'s
walks, and a file in which workers wrote what was acknowledged. One JSON object:
`worker_kills, server_kills, crawls, acknowledged` (records), `broken` (in words, none is right),
`restart_s` (of each), `seconds`.

With `--equal`, one web is crawled to its end by 1 and 3 workers, in batches of 64 and 5, with
kills and without; `runs` has one object each: `workers, batch_pages, worker_kills, digest` (of
pages and their states, axons and their weights, grants), `cypher_gds_error` and
`reward_error` (largest difference of steady rewards, engine to engine and to the first run),
`differences` (to the first run).
"""

import argparse
import asyncio
import json
import logging
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from crashing import looks
from crashing.killing import Havoc, empty, start_server, torment
from crashing.worker import Job, opened

from graphcrawl import rewards, schema, server
from graphcrawl.config import Paths
from graphcrawl.demo.web import generate
from graphcrawl.jobs import pages as _parsers  # noqa: F401 - forks shall have them

GRAPH = "crashes"
RUNS = ((1, 64, False), (3, 5, False), (3, 16, True))  # workers, pages a batch, whether killed


async def _prepare(job: Job) -> None:
    await start_server(job)
    async with opened(job) as graph:
        await schema.prepare(graph, job.graph)
        await rewards.fix(graph, job.graph, job.mode)


def crashes(job: Job, options: argparse.Namespace) -> dict[str, Any]:
    """Kill, and look."""
    begun, crawls, acknowledged = time.monotonic(), 1, 0
    job = replace(job, prune=True, distribute=True)
    asyncio.run(_prepare(job))
    asyncio.run(empty(job))

    def again() -> None:
        nonlocal crawls, acknowledged
        crawls += 1
        acknowledged += havoc.records()
        asyncio.run(empty(job))

    havoc = Havoc(job, options.workers, random.Random(options.seed))
    torment(havoc, options.worker_kills, options.server_kills, again)
    havoc.finish()
    havoc.look("at the end")
    return {
        "worker_kills": havoc.worker_kills,
        "server_kills": havoc.server_kills,
        "crawls": crawls,
        "acknowledged": acknowledged + havoc.records(),
        "broken": havoc.broken,
        "restart_s": havoc.restart_s,
        "seconds": round(time.monotonic() - begun, 1),
    }


async def _rested(job: Job, engine: Literal["cypher", "gds"]) -> dict[str, float]:
    async with opened(job) as graph:
        await rewards.distribute(graph, engine=engine)
        return looks.reward_of(graph.address)


def _apart(one: dict[str, float], other: dict[str, float]) -> float:
    return max(abs(one[url] - other.get(url, 0.0)) for url in one)


def equal(job: Job, options: argparse.Namespace) -> dict[str, Any]:
    """Crawl one web in several ways, and compare."""
    begun = time.monotonic()
    job = replace(job, equal_grants=True, mode="steady")
    asyncio.run(_prepare(job))
    runs, first, first_reward = [], None, {}
    for workers, batch_pages, kills in RUNS:
        own = replace(job, batch_pages=batch_pages)
        asyncio.run(empty(own))
        asyncio.run(_prepare(own))
        havoc = Havoc(own, workers, random.Random(options.seed))
        torment(havoc, options.worker_kills if kills else 0, 0, lambda: None)
        if not havoc.started:
            for _ in range(workers):
                havoc.start()
        havoc.finish()
        havoc.look("at the end")
        running = server.find(own.paths, own.graph)
        assert running
        found = looks.result(running.address)
        by_cypher = asyncio.run(_rested(own, "cypher"))
        by_gds = asyncio.run(_rested(own, "gds"))
        first, first_reward = first or found, first_reward or by_cypher
        runs.append(
            {
                "workers": workers,
                "batch_pages": batch_pages,
                "worker_kills": havoc.worker_kills,
                "pages": len(found.pages),
                "axons": len(found.axons),
                "digest": found.digest,
                "cypher_gds_error": _apart(by_cypher, by_gds),
                "reward_error": _apart(first_reward, by_cypher),
                "differences": first.differences(found)[:10],
                "broken": havoc.broken,
            }
        )
    return {"runs": runs, "seconds": round(time.monotonic() - begun, 1)}


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--worker-kills", type=int, default=100)
    parser.add_argument("--server-kills", type=int, default=30)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--pages", type=int, default=400, help="of the web")
    parser.add_argument("--seed", type=int, default=1, help="of the web, and of all kills")
    parser.add_argument("--equal", action="store_true", help="compare crawls of one web")
    parser.add_argument("--home", type=Path, help="keep graph and server there, for another try")
    parser.add_argument("--json", action="store_true", help="on one line")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        paths = replace(Paths.locate(home), cache=Paths.locate(None).cache)
        job = Job(paths, GRAPH, generate(options.seed, options.pages), home / "acknowledged.jsonl")
        try:
            found = equal(job, options) if options.equal else crashes(job, options)
        finally:
            if options.home is None:
                asyncio.run(server.down(paths, GRAPH))
    print(json.dumps(found, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
