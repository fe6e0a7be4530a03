"""The tasks of one run: a feeder, a visitor a host, readers, and what runs beside them."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from graphcrawl.crawl.asking import Asker
from graphcrawl.crawl.beside import run_beside
from graphcrawl.crawl.budget import Budget
from graphcrawl.crawl.lanes import AHEAD, Lane, Lanes
from graphcrawl.crawl.leases import Leases
from graphcrawl.crawl.listings import Listings
from graphcrawl.crawl.outcomes import sent_on, unreadable
from graphcrawl.crawl.parts import Fetcher, Readers, Reservations, Robots
from graphcrawl.crawl.plan import Beside, Plan
from graphcrawl.crawl.proxies import STOPPED_BY, ProxyWatch
from graphcrawl.crawl.stats import STOPPED, Stats
from graphcrawl.crawl.territory import Territory
from graphcrawl.crawl.writer import Learn, Writer
from graphcrawl.errors import GraphcrawlError, ReadError
from graphcrawl.frontier import Frontier
from graphcrawl.limits import PAUSED, Cause, Limit, of_idle_run, of_run
from graphcrawl.models import (
    Claim,
    Fetched,
    HostUpdate,
    Outcome,
    Reason,
)
from graphcrawl.spool import discard
from graphcrawl.urls import Scope

logger = logging.getLogger(__name__)

OUTLOOK_EVERY_S = 2.0
REAP_EVERY_S = 0.5
_BY_HAND = ("interrupted", "terminated", STOPPED)


class Crawl:
    """One run of one worker."""

    def __init__(
        self,
        frontier: Frontier,
        fetcher: Fetcher,
        robots: Robots,
        readers: Readers,
        *,
        plan: Plan,
        scope: Scope,
        seeds: Sequence[str],
        beside: Sequence[Beside] = (),
        listings: Listings | None = None,
        reservations: Reservations | None = None,
        learn: Learn | None = None,
        held_back: Callable[[], Cause | None] = lambda: None,
        budget: Budget | None = None,
    ) -> None:
        """Put the parts together; nothing happens until `run`.

        Args:
            frontier: Hands out leases and records outcomes.
            fetcher: Sends one GET.
            robots: Knows what may be fetched.
            readers: Parses bodies in other processes.
            plan: Limits of the run.
            scope: Which links may wait in the frontier.
            seeds: Canonical URLs of all seeds. Where one redirects, or another is added to the
                graph meanwhile, the scope follows.
            beside: What runs on the graph meanwhile.
            listings: Where the jobs of long feeds are written; None: with their pages.
            reservations: Knows what tdmrep.json files say; None: they are not asked for.
            learn: Told of each batch that was recorded.
            held_back: Says which limit over all hosts requests wait for just now.
            budget: Pages that it may ask for; None: the plan's.
        """
        self._frontier, self._readers, self._plan = frontier, readers, plan
        self._beside, self._listings, self._held_back = beside, listings, held_back
        self.stats, self.proxy = Stats(), ProxyWatch()
        self._territory = Territory(scope, seeds)
        self._asker = Asker(
            fetcher, robots, self._territory, self.stats, plan.agent, plan.max_tries, reservations
        )
        self._writer = Writer(frontier, self.stats, listings=listings, learn=learn)
        self._lanes = Lanes(
            delay_s=plan.delay_s,
            per_host=plan.per_host,
            slow_factor=plan.slow_factor,
            pace=plan.pace,
        )
        self._leases = Leases(frontier, self._lanes, self._writer.in_hand, plan.lease_s)
        self._budget = budget or Budget(plan.max_pages)
        self._slots = asyncio.Semaphore(plan.concurrency)
        self._to_read: asyncio.Queue[tuple[Claim, Fetched, HostUpdate]] = asyncio.Queue(
            2 * plan.concurrency
        )
        self._reap_at = 0.0  # on the monotonic clock
        self._dry = False  # the last claim took all that there was
        self._visitors: set[asyncio.Task[None]] = set()
        self._pauses: dict[Cause, Limit] = {}  # why it pauses
        self._going = asyncio.Event()  # it does not
        self._going.set()
        self._stopping = asyncio.Event()
        self._aborting = asyncio.Event()
        self._ended = asyncio.Event()

    async def run(self) -> Stats:
        """Crawl until the budget is spent, nothing is left, or `stop` is called.

        Raises:
            Neo4jError: The graph cannot be used any more.
        """
        writer = asyncio.create_task(self._writer.run())
        listing = asyncio.create_task(self._write_listings())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._fail_with(writer))
                group.create_task(self._fail_with(listing))
                readers = [group.create_task(self._read()) for _ in range(self._readers.capacity)]
                group.create_task(self._leases.keep(self._ended_within))
                group.create_task(self._watch_frontier())
                beside = [
                    group.create_task(run_beside(job, self.stats, self._ended))
                    for job in self._beside
                ]
                await self._feed(group)
                await self._finish_visits()
                await self._read_all()
                self._ended.set()
                for task in (*readers, *beside):  # such work ends before it writes, or finishes
                    task.cancel()
        except* GraphcrawlError as errors:
            raise errors.exceptions[0] from None
        finally:
            self._ended.set()
            if not writer.done():
                await self._writer.close()
                await asyncio.shield(writer)
            if self._listings:
                self._listings.close()
            await asyncio.shield(listing)
            self.stats.finished = time.monotonic()
        return self.stats

    def admits(self, url: str, depth: int) -> bool:
        """Whether a page may wait, by the scope as it is now."""
        return self._territory.admits(url, depth)

    def stop(self, reason: str) -> None:
        """Claim no more; pages in flight are finished and recorded.

        Jobs of long feeds are written to the end, unless a signal is the reason.
        """
        if reason in (*_BY_HAND, "error") and self._listings:
            if self._listings.busy:
                self.stats.stop_reason = reason
            self._listings.stop()
        if not self._stopping.is_set():
            self.stats.stop_reason = reason
            self._stopping.set()
            self._going.set()
            self._writer.news.set()

    def pause(self, *, paused: bool = True, limit: Limit = PAUSED) -> None:
        """Ask for nothing until each reason was taken back; what is in hand stays in hand."""
        if paused and not self._stopping.is_set():
            self._pauses[limit.cause] = limit
            self._going.clear()
        elif self._pauses.pop(limit.cause, None) and not self._pauses:
            self._going.set()
            self._writer.news.set()

    def abort(self, reason: str = "interrupted") -> None:
        """Break off what is fetched and read as well; those pages go back to the frontier."""
        self.stop(reason)
        self._aborting.set()
        for visitor in self._visitors:
            visitor.cancel()

    async def _finish_visits(self) -> None:
        """Wait for the pages in flight; after a signal not for feeds that take long."""
        if self._visitors:
            is_signal = self.stats.stop_reason in _BY_HAND
            await asyncio.wait(self._visitors, timeout=self._plan.grace_s if is_signal else None)
        if left := list(self._visitors):
            for visitor in left:
                visitor.cancel()
            await asyncio.wait(left)

    # claiming

    async def _feed(self, group: asyncio.TaskGroup) -> None:
        """Keep enough pages in hand until there is a reason to stop."""
        await self._frontier.reap()
        await self._frontier.refresh_hosts()
        while not self._stopping.is_set():
            self._writer.news.clear()
            if self._plan.max_time_s is not None and self.stats.seconds >= self._plan.max_time_s:
                return self.stop("time")
            if not self._going.is_set():
                self.stats.limit = [*self._pauses.values()][-1]
                await self._pause(0.5)
                continue
            room = await self._room()
            claims: list[Claim] = []
            if room:
                claims = await self._frontier.claim(
                    pages=room,
                    per_host=self._lanes.deep,
                    lease_s=self._plan.lease_s,
                    refill=self._lanes.running_dry(),
                )
            self._dry = len(claims) < room  # until something is recorded
            for claim in claims:
                self._take(claim, group)
            self.stats.limit = self._limit()
            if claims or not room:
                await self._pause(0.1)
            else:
                await self._wait_for_work()
        return None

    async def _room(self) -> int:
        """Say how many more pages may be claimed now.

        Where hosts want a delay, a page counts until it is recorded, so that each choice knows what
        the last pages taught. Without a delay the crawl is after speed: it claims many, seldom.
        """
        plan, in_lanes = self._plan, self._lanes.pages
        if plan.delay_s > 0:
            room = plan.concurrency - len(self._writer.in_hand)
        else:
            ahead = AHEAD * plan.concurrency
            room = ahead - in_lanes if in_lanes <= ahead // 2 else 0
        if room <= 0:
            return 0
        left = await self._budget.left(self.stats.requests + in_lanes, room)
        if left <= 0 and not in_lanes:
            self.stop("pages")
        return left

    def _take(self, claim: Claim, group: asyncio.TaskGroup) -> None:
        self._writer.in_hand[claim.url] = claim
        if claim.seed:  # one that was added after the start widens the scope, as at a start
            self._territory.admit(claim.url)
        lane = self._lanes.take(claim)
        if self._lanes.wants_more(lane):
            self._writer.news.set()  # do not wait before the next claim
        if len(lane.visitors) < lane.per_host:
            visitor = group.create_task(self._visit_host(lane))
            for visitors in (lane.visitors, self._visitors):
                visitors.add(visitor)
                visitor.add_done_callback(visitors.discard)

    async def _wait_for_work(self) -> None:
        """Nothing could be claimed: wait for news or a host's turn, or stop when all is done."""
        if self._writer.in_hand:
            return await self._pause(0.25)
        outlook = await self._frontier.outlook()
        nothing = outlook.next_due_s is None and not outlook.leased
        due_s = outlook.next_due_s if outlook.next_due_s is not None else 1.0
        if not self._plan.watch:
            left = nothing and self._listings and await self._listings.left_by_others()
            if nothing and not left:
                return self.stop("done")
            if not nothing and due_s > self._plan.patience_s:
                self.stats.next_due_s = due_s
                return self.stop("hosts")
        self.stats.limit = of_idle_run(
            writes_jobs=self._listings is not None and self._listings.busy,
            watches=self._plan.watch,
            leased=outlook.leased,
            next_due_s=outlook.next_due_s,
        )
        await self._pause(min(max(due_s, 0.02), 1.0))
        if time.monotonic() >= self._reap_at:
            await self._frontier.reap()
            self._reap_at = time.monotonic() + REAP_EVERY_S
        return None

    async def _pause(self, seconds: float) -> None:
        """Wait for news, but not longer than that."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._writer.news.wait()

    def _limit(self) -> Limit:
        """Say what is slowest just now."""
        return of_run(
            writes_jobs=self._listings is not None and self._listings.behind,
            writes=self._writer.behind,
            parses=self._to_read.full(),
            held_back=self._held_back(),
            in_flight=self._plan.concurrency if self._slots.locked() else None,
            hosts_rest=any(lane.waiting for lane in self._lanes),
        )

    # fetching

    async def _visit_host(self, lane: Lane) -> None:
        """Fetch the lane's pages one after another, at the host's pace."""
        while lane.waiting and not self._stopping.is_set():
            await self._going.wait()
            if (wait_s := lane.wait_s()) > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait_s):
                        await self._stopping.wait()
                continue
            async with self._slots:
                await self._leases.sure()
                halts = self._stopping.is_set() or not self._going.is_set()
                if halts or not lane.waiting or lane.wait_s() > 0:
                    continue
                claim = lane.start()
                if not self._dry and self._lanes.pages <= AHEAD * self._plan.concurrency // 2:
                    self._writer.news.set()  # claim ahead before the lanes run dry
                if (outcome := await self._asker.ask(claim, lane)) is None:
                    lane.put_back(claim)
                    continue
                update, returned = lane.finish(outcome, known=claim.visited)
            if self.proxy.is_down(outcome):
                self.stop(STOPPED_BY)
            if update.token is not None:
                self._lanes.drop(lane)
            if isinstance(outcome, Fetched):
                await self._to_read.put((claim, outcome, update))
            else:
                page = self._territory.redirect_target(claim, outcome)
                await self._writer.put(Outcome(claim, outcome, page), update, returned)

    # parsing and scoring

    async def _read(self) -> None:
        """Have bodies parsed and scored, and pass them on to the writer."""
        while True:
            if self._listings:
                await self._listings.room()
            claim, fetched, update = await self._to_read.get()
            outcome: Outcome
            try:
                page = await self._readers.read(fetched, claim.depth)
                if page.unsupported:
                    outcome = Outcome(
                        claim, unreadable(fetched, Reason.TYPE, "neither HTML nor XML")
                    )
                elif self._territory.is_sent_on(claim, page):
                    redirect = sent_on(fetched, page)
                    outcome = Outcome(
                        claim, redirect, self._territory.redirect_target(claim, redirect)
                    )
                else:
                    page = self._territory.judge_again(claim, page)
                    bare = replace(fetched, body=b"", body_bytes=fetched.size_bytes)
                    outcome = Outcome(claim, bare, page)
            except ReadError as error:
                outcome = Outcome(claim, unreadable(fetched, Reason.PARSE, str(error)))
            if not isinstance(outcome.fetch, Fetched) or not (outcome.page and outcome.page.feed):
                discard(fetched.spooled)
            self.stats.bytes += fetched.size_bytes
            await self._writer.put(outcome, update)
            self._to_read.task_done()

    async def _read_all(self) -> None:
        """Wait until all that came is read, or until that is broken off: a reader may hang."""
        waits = [asyncio.create_task(wait()) for wait in (self._to_read.join, self._aborting.wait)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    # beside the loop

    async def _write_listings(self) -> None:
        if self._listings:
            await self._listings.run(self.stats)
        else:
            await self._ended.wait()

    async def _watch_frontier(self) -> None:
        while not await self._ended_within(OUTLOOK_EVERY_S):
            if blocked := await self._frontier.blocked(self._lanes.hosts):
                await self._writer.give_back(self._lanes.close(blocked))
            await self._frontier.reap()
            self.stats.waiting = (await self._frontier.outlook()).waiting

    async def _fail_with(self, writer: asyncio.Task[None]) -> None:
        """End the whole group with the writer's error, since nobody empties its queue any more."""
        ended = asyncio.create_task(self._ended.wait())
        await asyncio.wait([writer, ended], return_when=asyncio.FIRST_COMPLETED)
        if writer.done():
            writer.result()

    async def _ended_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        return self._ended.is_set()
