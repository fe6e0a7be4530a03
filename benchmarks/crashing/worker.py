"""A worker as `crawl` has it, without the network: a web in memory, pages read in place."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from graphcrawl import rewards, server
from graphcrawl.config import Paths
from graphcrawl.crawl import Beside, Crawl, Plan, writer
from graphcrawl.demo.web import Web
from graphcrawl.errors import Neo4jError, Neo4jUnreachableError
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.models import (
    Fetched,
    FetchOutcome,
    HostUpdate,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)
from graphcrawl.readers import ReadOptions, read_page
from graphcrawl.recorded import RecordOptions, RecordReport
from graphcrawl.robots import Verdict
from graphcrawl.scoring.reward import load_rules
from graphcrawl.urls import Scope, canonical, host_key

LEASE_S = 4.0
LATENCY_S = 0.01
WAIT_S = 300.0  # for a server that was killed
OPEN_ATTEMPTS = 600


@dataclass(frozen=True, slots=True)
class Job:
    """What workers do."""

    paths: Paths
    graph: str
    web: Web
    acknowledged: Path  # file: a JSON line for each page whose record was acknowledged
    batch_pages: int = 16
    prune: bool = False
    distribute: bool = False
    equal_grants: bool = False  # the first to link to a feed gets no more than others
    mode: rewards.Mode = "neural"

    @property
    def scope(self) -> Scope:
        """All of the web but its endless calendar."""
        return Scope.of(self.web.seeds, "any", exclude=("/calendar/",))

    @property
    def options(self) -> RecordOptions:
        """What recording goes by."""
        options = RecordOptions(max_tries=2, retry_s=0.05, park_failures=1000)
        if self.equal_grants:
            options = replace(options, feed_new=20.0)
        return rewards.record_options(options, self.mode, 0.5)


class Site:
    """The web in memory: fetcher, robots and readers at once."""

    capacity = 4

    def __init__(self, job: Job) -> None:
        """Serve the job's web."""
        self._web = job.web
        self._options = ReadOptions(load_rules("jobs"), job.scope, text="none")

    async def get(self, url: str) -> FetchOutcome:
        """Answer as the demo's server does."""
        await asyncio.sleep(LATENCY_S)
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        found, now = self._web.answer(parts.hostname or "", path), datetime.now(UTC)
        if found.location:
            target = canonical(urljoin(url, found.location)) or url
            known = found.status in (301, 308)
            return Redirected(url, found.status, target, found.location, known, now, LATENCY_S)
        if found.status >= 400:
            reason = Reason.HTTP_SERVER if found.status >= 500 else Reason.HTTP_CLIENT
            return NotFetched(url, reason, str(found.status), now, status=found.status)
        kind, _, charset = found.content_type.partition("; charset=")
        return Fetched(url, found.status, found.body, kind, charset, now, LATENCY_S)

    async def check(self, url: str) -> Verdict:
        """Allow everything."""
        return Verdict(allowed=True)

    async def read(self, fetched: Fetched, depth: int) -> Page:
        """Read a page in this process."""
        return read_page(fetched, depth, self._options)


class Told(Neo4jFrontier):
    """A frontier that writes down what was acknowledged, as a user's own program may."""

    file: int

    async def record(
        self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate] = ()
    ) -> RecordReport:
        """Record, and write down what was accepted."""
        report = await super().record(outcomes, hosts)
        lost = {*report.refused, *report.unrecordable}
        lines = [json.dumps(_line(o)) + "\n" for o in outcomes if o.claim.url not in lost]
        os.write(self.file, "".join(lines).encode())  # one write: whole though we are killed
        return report


def _line(outcome: Outcome) -> dict[str, Any]:
    page, fetch = outcome.page, outcome.fetch
    grants = page.grants if page and isinstance(fetch, Fetched) else ()
    return {
        "url": outcome.claim.url,
        "kind": type(fetch).__name__,
        "status": fetch.status,
        "grants": [f"{grant.rule} {grant.place}" for grant in grants],
    }


@asynccontextmanager
async def opened(job: Job) -> AsyncIterator[Graph]:
    """Connect to the server wherever it is now; it may be down just now."""
    async with AsyncExitStack() as stack:
        for _ in range(OPEN_ATTEMPTS):
            if running := server.find(job.paths, job.graph):
                with suppress(Neo4jError):
                    graph = await stack.enter_async_context(Graph.open(running.address))
                    break
            await asyncio.sleep(0.1)
        else:
            raise Neo4jUnreachableError("It never came back.", "")
        graph.patience.revive = lambda: _follow(job, graph)
        yield graph


async def _follow(job: Job, graph: Graph) -> None:
    if running := server.find(job.paths, job.graph):
        await graph.move(running.address)


async def work(job: Job, number: int) -> None:
    """Crawl until nothing is left."""
    async with opened(job) as graph:
        with graph.waiting(WAIT_S, lambda: False, lambda: None):
            await _crawl(job, graph, number)


async def _crawl(job: Job, graph: Graph, number: int) -> None:
    name = f"w{number}-{os.getpid()}"
    frontier = Told(graph, name, name, job.options)
    frontier.file = os.open(job.acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    writer.BATCH_PAGES = job.batch_pages
    await graph.run("write/start_crawl", id=name, settings="{}", rulesDigest="", worker=name)
    await frontier.seed([Seed(url, host_key(url)) for url in job.web.seeds])
    beside = []
    if job.distribute:
        beside.append(Beside("distribute", lambda: rewards.distribute(graph), 0.2, 0, share=0.3))
    if job.prune:
        beside.append(Beside("prune", lambda: _prune(job, graph), 0.2, 0, share=0.3))
    site = Site(job)
    crawl = Crawl(
        frontier,
        site,
        site,
        site,
        plan=Plan(max_pages=0, delay_s=0.0, lease_s=LEASE_S, concurrency=8, patience_s=WAIT_S),
        scope=job.scope,
        seeds=job.web.seeds,
        beside=beside,
    )
    await crawl.run()


async def _prune(job: Job, graph: Graph) -> object:
    # No newborn is spared: what is pruned may have been leased or linked to a moment ago.
    folder = job.paths.archives
    return await rewards.prune(
        graph, below=0.02, spare_distributions=0, spare_s=0.0, archive_dir=folder
    )
