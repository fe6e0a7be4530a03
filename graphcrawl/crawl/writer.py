"""The writer: gathers outcomes and records them in batches, one transaction a batch.

It stands outside the loop's task group and is never cancelled, since a cancelled write leaves open
whether it happened.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from graphcrawl.crawl.listings import Listings, is_listing, without_jobs
from graphcrawl.crawl.stats import Stats
from graphcrawl.frontier import Frontier
from graphcrawl.models import Claim, Fetched, HostUpdate, Outcome
from graphcrawl.recorded import RecordReport
from graphcrawl.spool import discard

BATCH_PAGES = 64
BATCH_WAIT_S = 0.1  # how long the first outcome of a batch waits for company
_QUEUE_PAGES = 4 * BATCH_PAGES


Learn = Callable[[Sequence[Outcome], RecordReport], None]


@dataclass(frozen=True, slots=True)
class _Item:
    outcome: Outcome
    host: HostUpdate
    returned: tuple[Claim, ...] = ()  # pages of the host that go back unfetched


@dataclass(slots=True)
class Writer:
    """Owns what was claimed until it is recorded or given back."""

    frontier: Frontier
    stats: Stats
    in_hand: dict[str, Claim] = field(default_factory=dict)  # by URL
    listings: Listings | None = None  # where the jobs of long feeds go; None: with their page
    learn: Learn | None = None  # told of each batch that was recorded
    news: asyncio.Event = field(default_factory=asyncio.Event)  # set when something was recorded
    _queue: asyncio.Queue[_Item | None] = field(default_factory=lambda: asyncio.Queue(_QUEUE_PAGES))

    async def put(
        self, outcome: Outcome, host: HostUpdate, returned: tuple[Claim, ...] = ()
    ) -> None:
        """Hand over an outcome; waits while the queue is full."""
        await self._queue.put(_Item(outcome, host, returned))

    async def close(self) -> None:
        """Nothing more will come."""
        await self._queue.put(None)

    @property
    def behind(self) -> bool:
        """The queue is full: recording is what limits the crawl."""
        return self._queue.full()

    async def run(self) -> None:
        """Record until `close`; then give back what is still in hand."""
        more = True
        while more:
            batch, more = await self._next_batch()
            if batch:
                await self._record(batch)
        await self.give_back(list(self.in_hand.values()))

    async def _record(self, batch: list[_Item]) -> None:
        outcomes = [item.outcome for item in batch]
        apart = [o for o in outcomes if is_listing(o)] if self.listings else []
        if self.listings and apart:
            await self.listings.announce(apart)
            outcomes = [without_jobs(o) if is_listing(o) else o for o in outcomes]
        report = await self.frontier.record(outcomes, [item.host for item in batch])
        for outcome in apart:
            self._list(outcome, report)
        self.stats.count(outcomes, report)
        if self.learn:
            self.learn(outcomes, report)
        for outcome in outcomes:
            self.in_hand.pop(outcome.claim.url, None)
        await self.give_back([claim for item in batch for claim in item.returned])
        self.news.set()

    def _list(self, outcome: Outcome, report: RecordReport) -> None:
        """Pass a feed's jobs on once its page is recorded; one that was refused is read again."""
        url = outcome.claim.url
        if self.listings and url not in report.refused and url not in report.unrecordable:
            self.listings.put(outcome)
        elif isinstance(outcome.fetch, Fetched):
            discard(outcome.fetch.spooled)

    async def _next_batch(self) -> tuple[list[_Item], bool]:
        """Return what has gathered, and whether more may come.

        A batch waits for company only while there are pages that may still join it.
        """
        batch: list[_Item] = []
        wait_s = None
        with suppress(TimeoutError):
            while len(batch) < min(BATCH_PAGES, max(len(self.in_hand), 1)):
                async with asyncio.timeout(wait_s):
                    item = await self._queue.get()
                if item is None:
                    return batch, False
                batch.append(item)
                wait_s = BATCH_WAIT_S
        return batch, True

    async def give_back(self, claims: list[Claim]) -> None:
        """Let pages wait again that nobody is going to ask for."""
        if claims:
            await self.frontier.release(claims)
        for claim in claims:
            self.in_hand.pop(claim.url, None)
