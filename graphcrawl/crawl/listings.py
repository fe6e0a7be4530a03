"""The jobs of long feeds, written beside the recording: one reading after the other.

A page's own record never waits for its jobs. Like the writer this task is never cancelled; it ends
after the batch at hand when the crawl is stopped by a signal, else when all is written.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

from graphcrawl.crawl.stats import Stats
from graphcrawl.feed_reader import FeedReader
from graphcrawl.graph import Graph
from graphcrawl.job_readings import READING_LEASE_S, Listing, hold, let_go, write_listing
from graphcrawl.job_rows import JOBS_AT_ONCE, JobsReport
from graphcrawl.limits import Cause, Limit
from graphcrawl.models import Fetched, Outcome, Page, Posting, Reading
from graphcrawl.spool import discard

MAX_WAITING = 16  # more, and no further page is read


def is_listing(outcome: Outcome) -> bool:
    """Tell whether an outcome's jobs are written here: more than one transaction takes."""
    fetch, page = outcome.fetch, outcome.page
    if page is None or not isinstance(fetch, Fetched):
        return False
    if fetch.spooled:
        return page.feed is not None
    of_feed = page.reading is not None and page.reading.of_feed
    return of_feed and len(page.postings) > JOBS_AT_ONCE


def without_jobs(outcome: Outcome) -> Outcome:
    """Return what is recorded of it at once."""
    page = outcome.page
    apart = Reading(of_feed=True, whole=False, apart=True)
    return replace(outcome, page=page and replace(page, postings=(), reading=apart))


@dataclass(slots=True)
class Listings:
    """The readings that wait for their turn, and the one that is written."""

    graph: Graph
    admits: Callable[[str, int], bool] = lambda url, depth: True  # what the crawl may fetch
    _waiting: deque[Outcome] = field(default_factory=deque)
    _held: set[str] = field(default_factory=set)  # URLs, the one at hand included
    _others_until_ms: dict[str, int] = field(default_factory=dict)  # of others, as seen first
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _room: asyncio.Event = field(default_factory=asyncio.Event)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # for `_held` and Neo4j's copy of it
    _closed: bool = False
    _stopping: bool = False

    async def announce(self, outcomes: Sequence[Outcome]) -> None:
        """Note on pages that are about to be recorded that their jobs come after."""
        await hold(self.graph, [outcome.claim.url for outcome in outcomes])

    def put(self, outcome: Outcome) -> None:
        """Take the jobs of a page that was recorded."""
        self._held.add(outcome.claim.url)
        self._waiting.append(outcome)
        self._news.set()

    @property
    def behind(self) -> bool:
        """So many feeds wait that nothing more should be read."""
        return len(self._waiting) >= MAX_WAITING

    @property
    def busy(self) -> bool:
        """Whether there are jobs to write."""
        return bool(self._held)

    async def left_by_others(self) -> bool:
        """Tell whether a reading of another run may have died: its feed will be due in a minute.

        One that lives says so three times a minute, and finishes without us.
        """
        rows = await self.graph.run("look/open_readings")
        until_ms: dict[str, int] = {
            row["url"]: row["untilMs"]
            for row in rows
            if row["url"] not in self._held and self.admits(row["url"], row["depth"])
        }
        first = self._others_until_ms
        return sum(first.setdefault(url, at_ms) == at_ms for url, at_ms in until_ms.items()) > 0

    async def room(self) -> None:
        """Wait until more may be put."""
        while self.behind:
            self._room.clear()
            await self._room.wait()

    def stop(self) -> None:
        """Break off after the batch at hand; what is left is read again in the next run."""
        self._stopping = True
        self._room.set()

    def close(self) -> None:
        """Nothing more will come."""
        self._closed = True
        self._news.set()

    async def run(self, stats: Stats) -> None:
        """Write until `close` and all is written.

        Raises:
            Neo4jError: The graph cannot be used any more.
        """
        renewing = asyncio.create_task(self._renew())
        try:
            while True:
                self._news.clear()
                while self._waiting:
                    outcome = self._waiting.popleft()
                    self._room.set()
                    await self._write(outcome, stats)
                if self._closed:
                    break
                await self._news.wait()
        finally:
            self._waiting.clear()
            self._room.set()
            renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing

    async def _write(self, outcome: Outcome, stats: Stats) -> None:
        """Write the jobs of one feed, or leave them for the next run."""
        fetch, page = outcome.fetch, outcome.page
        if not isinstance(fetch, Fetched) or page is None:
            return
        is_done = False
        try:
            if not self._stopping:
                is_done = await self._write_all(fetch, page, stats)
        finally:
            discard(fetch.spooled)
        async with self._lock:
            self._held.discard(fetch.url)
            await let_go(self.graph, fetch.url, is_done=is_done)

    async def _write_all(self, fetch: Fetched, page: Page, stats: Stats) -> bool:
        counted = 0

        def on_batch(report: JobsReport) -> None:
            nonlocal counted  # other pages count theirs meanwhile
            stats.jobs += report.listed - counted
            counted = report.listed
            if self._closed:
                stats.limit = Limit(
                    Cause.JOBS, f"writing jobs to Neo4j, {report.listed:,} of {fetch.url} so far"
                )

        reader = FeedReader(fetch) if fetch.spooled else None
        batches = reader.batches() if reader else _chunks(page.postings)
        try:
            async with aclosing(batches):
                report, reading = await write_listing(
                    self.graph,
                    Listing(fetch.url, page.digest, fetch.fetched_at),
                    batches,
                    lambda: reader.reading if reader else page.reading or Reading(of_feed=True),
                    on_batch=on_batch,
                    is_stopping=lambda: self._stopping,
                )
        finally:
            if reader:
                reader.stop()
        stats.new_jobs += report.new
        stats.changed_jobs += report.changed
        stats.gone_jobs += report.gone
        return reading.ended != "stopped"

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(READING_LEASE_S / 3)
            async with self._lock:
                if self._held:
                    await hold(self.graph, sorted(self._held))


async def _chunks(postings: Sequence[Posting]) -> AsyncGenerator[Sequence[Posting], None]:
    for start in range(0, len(postings), JOBS_AT_ONCE):
        yield postings[start : start + JOBS_AT_ONCE]
