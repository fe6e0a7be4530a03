"""Lanes: one for each host that this worker holds, with its claimed pages and its pace.

The graph says when a host may be asked again, for all workers; a lane keeps the pace between the
few pages that one lease brought. A host is given back with the last page of its lane.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from graphcrawl.crawl.plan import Pace
from graphcrawl.models import Claim, FetchOutcome, HostUpdate, NotFetched, Reason

OVERLOAD_PAUSE_S = 60.0  # after the first 429 or 503 without a usable Retry-After; then doubled
OVERLOAD_JITTER = 0.1  # so that a host's workers do not come back all at once
LONGEST_PAUSE_S = 86_400.0
SLOWEST_PACE_S = 30.0  # the longest delay that slow answers lead to
NEWEST_SHARE = 0.3  # of the newest answer in the smoothed latency
AHEAD = 8  # pages to hold for each request in flight, where hosts want no delay
HELD_PAUSE_S = 5.0  # for a longer pause the host's pages go back to the frontier


@dataclass(slots=True)
class Lane:
    """One leased host."""

    host: str
    token: int  # of the newest claim
    delay_s: float
    per_host: int  # requests in flight
    max_pages: int = 0  # requests for unknown pages; 0: no limit
    slow_factor: float = 0.0  # the delay is at least so many times the latency
    latency_s: float = 0.0  # smoothed; 0: not known
    refusals: int = 0  # 429 and 503 that it is not forgiven yet: an answer forgives one
    requests: int = 0  # for unknown pages so far, over all runs
    closed: bool = False  # blocked meanwhile: no request may start
    waiting: deque[Claim] = field(default_factory=deque)
    in_flight: int = 0
    next_start: float = 0.0  # on the monotonic clock
    earlier_start: float = 0.0  # what that was before the last page was taken
    visitors: set[asyncio.Task[None]] = field(default_factory=set)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    last_turn: float = float("-inf")  # on the monotonic clock

    def add(self, claim: Claim) -> None:
        """Queue a page that was claimed for this host."""
        self.token = claim.token
        self.waiting.append(claim)

    @property
    def idle(self) -> bool:
        """Nothing waits and nothing is in flight."""
        return not self.waiting and not self.in_flight

    @property
    def full(self) -> bool:
        """Enough pages of this host were asked for."""
        return 0 < self.max_pages <= self.requests

    @property
    def pace_s(self) -> float:
        """Seconds between two requests: longer where the host answers slowly.

        A host that needs no delay, one's own, is asked as fast as it answers.
        """
        if self.delay_s == 0:
            return 0.0
        return max(self.delay_s, min(self.slow_factor * self.latency_s, SLOWEST_PACE_S))

    def close(self) -> tuple[Claim, ...]:
        """Start no more requests; return the pages to give back now, if none is in flight."""
        self.closed = True
        if self.in_flight:
            return ()
        returned = tuple(self.waiting)
        self.waiting.clear()
        return returned

    def wait_s(self) -> float:
        """Seconds until the next request may start."""
        return self.next_start - time.monotonic()

    def lengthen(self, crawl_delay_s: float) -> None:
        """Obey the host's Crawl-delay where it is longer than ours."""
        self.delay_s = max(self.delay_s, crawl_delay_s)

    def start(self) -> Claim:
        """Take the next page; the delay counts from here where several may be in flight."""
        self.in_flight += 1
        self.earlier_start, self.next_start = self.next_start, time.monotonic() + self.pace_s
        return self.waiting.popleft()

    def rest(self) -> None:
        """Note a request besides those for pages: its robots.txt was asked for just now."""
        self.last_turn = time.monotonic()
        self.next_start = self.earlier_start = self.last_turn + self.pace_s

    def put_back(self, claim: Claim) -> None:
        """Let a page that was taken wait for the host's next turn."""
        self.in_flight -= 1
        self.waiting.appendleft(claim)

    async def take_turn(self, delay_s: float) -> None:
        """Wait until the last request that took a turn is `delay_s` ago: a host's own wish.

        Several requests may have started before its robots.txt was known.
        """
        async with self.turn:
            await asyncio.sleep(self.last_turn + delay_s - time.monotonic())
            self.last_turn = time.monotonic()

    def finish(
        self, outcome: FetchOutcome, *, known: bool = False
    ) -> tuple[HostUpdate, tuple[Claim, ...]]:
        """Note that a request ended.

        Args:
            outcome: What came of it.
            known: The page's content was known: such a visit does not count towards the limit.

        Returns:
            What to record about the host, and pages to give back because it wants a long pause.
            The update carries the token when the lane is empty: the host is given back.
        """
        self.in_flight -= 1
        asked = not isinstance(outcome, NotFetched) or outcome.requested
        tried = asked or (isinstance(outcome, NotFetched) and outcome.host_fault)
        failed, trouble, pause_s = False, "", 0.0
        if tried:
            failed, trouble, pause_s = self._learn(outcome)
            if self.per_host == 1 or pause_s > self.pace_s:
                self.next_start = max(self.next_start, time.monotonic() + pause_s)
        elif isinstance(outcome, NotFetched) and outcome.reason is Reason.ROBOTS_UNREACHABLE:
            trouble = f"{outcome.reason}: {outcome.detail}"[:200]
        if not tried and not self.in_flight:  # nothing was tried, so there is nothing to rest from
            self.next_start = self.earlier_start
        pause_s = max(pause_s, self.wait_s(), 0.0)  # an earlier refusal may still count
        returned: tuple[Claim, ...] = ()
        rests_long = self.wait_s() > max(HELD_PAUSE_S, self.pace_s)
        if not self.in_flight and (self.closed or rests_long):
            returned = tuple(self.waiting)
            self.waiting.clear()
        update = HostUpdate(
            self.host,
            self.pace_s,
            pause_s,
            failed,
            self.token if self.idle else None,
            requested=tried,
            latency_s=self.latency_s,
            refusals=self.refusals,
            requests=int(asked and not known),
            full=isinstance(outcome, NotFetched) and outcome.reason is Reason.HOST_LIMIT,
            trouble=trouble,
        )
        return update, returned

    def _learn(self, outcome: FetchOutcome) -> tuple[bool, str, float]:
        """Return whether the host failed, what is wrong with it, and how long it is to rest.

        Source: RFC 9110 §10.2.3 (Retry-After), RFC 6585 §4 (429).
        """
        failure = outcome if isinstance(outcome, NotFetched) else None
        silent = failure is not None and failure.status is None
        if (
            not failure or not silent or failure.reason is Reason.TIMEOUT
        ):  # else: no sign of its pace
            old_s, share = self.latency_s, NEWEST_SHARE
            new_s = outcome.elapsed_s
            self.latency_s = (1 - share) * old_s + share * new_s if old_s else new_s
        if not isinstance(outcome, NotFetched):
            self.refusals = max(self.refusals - 1, 0)
            return False, "", self.pace_s
        trouble = f"{outcome.reason}: {outcome.detail}"[:200] if outcome.host_fault else ""
        if outcome.reason is not Reason.TOO_MANY_REQUESTS and outcome.status != 503:
            pause_s = min(outcome.retry_after_s or 0.0, LONGEST_PAUSE_S)
            return outcome.host_fault, trouble, max(self.pace_s, pause_s)
        self.refusals += 1
        doubled = 2.0 ** min(self.refusals - 1, 30)
        if outcome.retry_after_s is None:
            pause_s = OVERLOAD_PAUSE_S * doubled * random.uniform(1.0, 1.0 + OVERLOAD_JITTER)
        else:  # one that refuses again and again is believed less and less
            pause_s = max(outcome.retry_after_s, doubled - 1.0)
        trouble = f"{outcome.reason}: {outcome.detail}"[:200]
        return False, trouble, max(self.pace_s, min(pause_s, LONGEST_PAUSE_S))


class Lanes:
    """All hosts that this worker holds."""

    def __init__(
        self,
        *,
        delay_s: float,
        per_host: int,
        slow_factor: float = 0.0,
        pace: Callable[[str], Pace] | None = None,
    ) -> None:
        """Start empty.

        Args:
            delay_s: Seconds between two requests to a host; its Crawl-delay may lengthen it.
            per_host: Requests in flight a host.
            slow_factor: A host's delay is at least so many times its latency.
            pace: Says what is different for a host; none: nothing for any.
        """
        self._delay_s, self._per_host, self._slow_factor = delay_s, per_host, slow_factor
        self._pace = pace or (lambda _: Pace(delay_s, per_host))
        self._lanes: dict[str, Lane] = {}

    def __iter__(self) -> Iterator[Lane]:
        return iter(list(self._lanes.values()))

    def take(self, claim: Claim) -> Lane:
        """Queue a claimed page and return its lane."""
        lane = self._lanes.get(claim.host)
        if lane is None:
            pace = self._pace(claim.host)
            lane = Lane(
                claim.host,
                claim.token,
                pace.delay_s,
                pace.per_host,
                max_pages=pace.max_pages,
                slow_factor=self._slow_factor,
                latency_s=claim.latency_s,
                refusals=claim.refusals,
                requests=claim.requests,
            )
            self._lanes[claim.host] = lane
        lane.add(claim)
        return lane

    def drop(self, lane: Lane) -> None:
        """Forget a lane whose host was given back."""
        self._lanes.pop(lane.host, None)

    def lose(self, claim: Claim) -> bool:
        """Forget a page that is not leased any more; False: it does not wait here."""
        lane = self._lanes.get(claim.host)
        if lane is None or claim not in lane.waiting:
            return False
        lane.waiting.remove(claim)
        if lane.idle:
            self.drop(lane)
        return True

    @property
    def hosts(self) -> list[str]:
        """Their names."""
        return list(self._lanes)

    def close(self, hosts: Collection[str]) -> list[Claim]:
        """Start no more requests to these hosts; return the pages to give back now."""
        returned: list[Claim] = []
        for lane in self:
            if lane.host in hosts and not lane.closed:
                returned += lane.close()
                if lane.idle:
                    self.drop(lane)
        return returned

    @property
    def pages(self) -> int:
        """Pages waiting or in flight."""
        return sum(len(lane.waiting) + lane.in_flight for lane in self._lanes.values())

    @property
    def deep(self) -> int:
        """Pages to claim for one host at once.

        Without a delay a lane would run dry before its last page is recorded, so claim ahead.
        """
        return self._per_host * (AHEAD if self._delay_s == 0 else 1)

    def wants_more(self, lane: Lane) -> bool:
        """Whether the host may have more in flight than it has, and than one claim brings."""
        return self._per_host < lane.per_host > len(lane.waiting) + lane.in_flight

    def running_dry(self) -> list[str]:
        """Hosts that want more, and those without a delay whose lanes are less than half full."""
        return [
            lane.host
            for lane in self._lanes.values()
            if (lane.delay_s == 0 and len(lane.waiting) <= self.deep // 2) or self.wants_more(lane)
        ]
