"""Measures claims of 64 pages from a large frontier, lease writes included.

    python benchmarks/claim.py --frontier 500000 --json

Works in the graph `bench-claim`: an embedded server of its own, whose store it replaces, or the
Neo4j that NEO4J_URI names, which must be empty. Prints one JSON line; times are in milliseconds.
`record_pages_per_s` is one recorder alone, 50 links a page. `claim_loaded_ms_*` and
`record_loaded_pages_per_s` are both at once, without rest, on the same processors.
"""

import argparse
import asyncio
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from graphcrawl import server
from graphcrawl.config import Paths, load_settings
from graphcrawl.connection import connect, external_address
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.models import Claim, Fetched, Grant, HostUpdate, Link, Outcome, Page

GRAPH = "bench-claim"
PAGES = 64
HOSTS_A_BATCH = 50


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frontier", type=int, default=500_000, help="pages that wait")
    parser.add_argument("--hosts", type=int, default=5_000)
    parser.add_argument("--claims", type=int, default=300, help="claims to measure, of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    options = parser.parse_args()

    def say(text: str) -> None:
        if not options.json:
            print(text, file=sys.stderr)

    settings = load_settings(graph=GRAPH)
    paths = Paths.locate(settings.home)
    embedded = external_address() is None
    if embedded:
        await server.reset(paths, GRAPH)
    rng = random.Random(options.seed)
    async with connect(settings) as graph:
        claimer = Neo4jFrontier(graph, "bench", "claimer")
        if (await claimer.outlook()).waiting:
            sys.exit("The Neo4j that NEO4J_URI names is not empty.")
        started = time.perf_counter()
        await fill(claimer, options.hosts, options.frontier // options.hosts, rng)
        waiting = (await claimer.outlook()).waiting
        say(f"{waiting} pages wait on {options.hosts} hosts, {time.perf_counter() - started:.0f} s")
        await measure(claimer, options.claims // 3)  # plans, caches and Java's compiler warm up
        quiet = await measure(claimer, options.claims)
        recorder = Neo4jFrontier(graph, "bench", "recorder")
        enough = asyncio.Event()
        alone = asyncio.create_task(record_until(enough, recorder, rng))
        await asyncio.sleep(20)
        enough.set()
        alone_per_s = await alone
        enough = asyncio.Event()
        busy = asyncio.create_task(record_until(enough, recorder, rng))
        await asyncio.sleep(5)
        loaded = await measure(claimer, options.claims)
        enough.set()
        recorded_per_s = await busy
    if embedded:
        await server.down(paths, GRAPH)
    result = {
        "frontier": waiting,
        "hosts": options.hosts,
        "pages": PAGES,
        "claim_ms_median": round(statistics.median(quiet), 1),
        "claim_ms_p95": round(statistics.quantiles(quiet, n=20)[-1], 1),
        "claim_loaded_ms_median": round(statistics.median(loaded), 1),
        "claim_loaded_ms_p95": round(statistics.quantiles(loaded, n=20)[-1], 1),
        "record_pages_per_s": round(alone_per_s),
        "record_loaded_pages_per_s": round(recorded_per_s),
        "machine": platform.machine(),
    }
    print(json.dumps(result))


async def fill(frontier: Neo4jFrontier, hosts: int, pages: int, rng: random.Random) -> None:
    """Let `pages` pages wait on each host, of rewards like those of a crawl: most are poor."""
    for first in range(0, hosts, HOSTS_A_BATCH):
        names = [f"h{h}.example" for h in range(first, min(first + HOSTS_A_BATCH, hosts))]
        await frontier.seed(
            [
                Seed(f"http://{name}/path/of/page-{p}.html", name, rng.paretovariate(1.2))
                for name in names
                for p in range(pages)
            ]
        )


async def measure(frontier: Neo4jFrontier, claims: int) -> list[float]:
    """Return what claims took, in milliseconds; hosts are given back in between."""
    times = []
    for _ in range(claims):
        started = time.perf_counter()
        claimed = await frontier.claim(pages=PAGES, per_host=1, lease_s=600)
        times.append(1000 * (time.perf_counter() - started))
        if len(claimed) < PAGES:
            sys.exit(f"Only {len(claimed)} pages could be claimed: use more --frontier or --hosts.")
        await frontier.record([], given_back(claimed))
    return times


async def record_until(enough: asyncio.Event, frontier: Neo4jFrontier, rng: random.Random) -> float:
    """Record batches without rest until it is enough; return pages per second of recording."""
    pages, seconds = 0, 0.0
    while not enough.is_set():
        claims = await frontier.claim(pages=PAGES, per_host=1, lease_s=600)
        outcomes = [visited(claim, rng) for claim in claims]
        started = time.perf_counter()
        await frontier.record(outcomes, given_back(claims))
        pages, seconds = pages + len(claims), seconds + time.perf_counter() - started
    return pages / seconds


def visited(claim: Claim, rng: random.Random) -> Outcome:
    """Return a page of 50 links: 10 of navigation, 35 to its own site, 5 to other sites."""
    site = f"http://{claim.host}"
    urls = [f"{site}/navigation/{i}" for i in range(10)]
    urls += [f"{site}/path/of/page-{rng.randrange(120)}.html" for _ in range(35)]
    urls += [f"http://h{rng.randrange(5000)}.example/path/of/page-0.html" for _ in range(5)]
    links = tuple(
        Link(url, url.split("/")[2], anchor="the text of a link", position="main")
        for url in dict.fromkeys(urls)
        if url != claim.url
    )
    page = Page("A title", "en", links=links, grants=(Grant("job", 1, "text"),), digest=claim.url)
    fetched = Fetched(claim.url, 200, b"", "text/html", "utf-8", datetime.now(UTC), 0.1)
    return Outcome(claim, fetched, page)


def given_back(claims: Sequence[Claim]) -> list[HostUpdate]:
    return [HostUpdate(c.host, delay_s=0.0, pause_s=0.0, token=c.token) for c in claims]


if __name__ == "__main__":
    asyncio.run(main())
