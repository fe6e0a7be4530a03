"""A run tells its graph that it is alive, hears what is wanted of it, and what it is in charge of.

What is to be done once for all workers of a graph (distribution, feeds that fall due, prune) is one
worker's duty: it holds a lease on it, and when it falls silent another one takes over.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from graphcrawl import works
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.plan import Beside
from graphcrawl.crawl.stats import STOPPED
from graphcrawl.errors import Neo4jError
from graphcrawl.graph import Graph

logger = logging.getLogger(__name__)

BEAT_EVERY_S = 1.0  # `look/runs` takes a run for dead that has been silent for 15 s
DUTY_S = 5.0  # without a word, until another worker takes over
LEAD, PRUNE = "lead", "prune"  # duties; pruning is apart, since not every run prunes
_OWN = {"order", "model"}  # each worker does these for itself


class Alive:
    """The heart of one run."""

    def __init__(self, graph: Graph, crawl_id: str, worker: str, *, prune: bool = False) -> None:
        """Begin with no duty.

        Args:
            graph: The graph that is crawled.
            crawl_id: Of the run.
            worker: Its name.
            prune: Whether it would prune.
        """
        self._graph, self._id, self._worker = graph, crawl_id, worker
        self._duties = [LEAD, PRUNE] if prune else [LEAD]
        self._has: frozenset[str] = frozenset()
        self._has_until = 0.0  # on the monotonic clock

    def only_in_charge(self, jobs: Sequence[Beside]) -> list[Beside]:
        """Return work beside the crawl that is done while this worker is in charge of it."""

        def of(job: Beside) -> Beside:
            duty = PRUNE if job.name == PRUNE else LEAD
            return replace(job, in_charge=lambda: self.has(duty), of_all=True)

        return [job if job.name in _OWN else of(job) for job in jobs]

    def has(self, duty: str) -> bool:
        """Tell whether this worker is in charge of something."""
        return duty in self._has and time.monotonic() < self._has_until

    @asynccontextmanager
    async def beating(self, crawl: Crawl) -> AsyncIterator[None]:
        """Tell, and obey, until the end of the block."""
        await self._graph.run("control/duties", duties=self._duties)
        await self._beat(crawl)
        ended = asyncio.Event()
        beats = asyncio.create_task(self._go_on(crawl, ended))
        try:
            yield
        finally:
            ended.set()
            await beats
            crawl.stats.retries = self._graph.retries
            with suppress(Neo4jError):  # if that is gone, the lease ends by itself
                if self._has:
                    has = sorted(self._has)
                    await self._graph.run("control/resign", worker=self._worker, duties=has)

    async def _go_on(self, crawl: Crawl, ended: asyncio.Event) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_EVERY_S):
                    await ended.wait()
            if ended.is_set():
                return
            try:
                await self._beat(crawl)
            except Neo4jError as error:  # the crawl itself decides what that means
                logger.debug("No beat: %s", error)

    async def _beat(self, crawl: Crawl) -> None:
        begun, stats = time.monotonic(), crawl.stats
        limit = stats.limit
        stats.limited[limit.cause] += 1
        stats.retries = self._graph.retries
        rows = await self._graph.run(
            "write/beat",
            id=self._id,
            cause=limit.cause,
            phrase=limit.phrase,
            works=works.tell(stats.works, stats.beside_s, stats.seconds) if stats.works else None,
            worker=self._worker,
            duties=self._duties,
            leaseMs=round(1000 * DUTY_S),
        )
        if not rows:
            return
        heard = rows[0]
        crawl.stats.pages_of_others = heard["pagesOfOthers"]
        self._has, self._has_until = frozenset(heard["duties"]), begun + DUTY_S
        if heard["breaksOff"]:
            crawl.abort(STOPPED)
        elif heard["stopped"]:
            crawl.stop(STOPPED)
        else:
            crawl.pause(paused=heard["paused"])
