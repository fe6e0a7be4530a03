"""Lanes: one for each host that this worker holds, with its claimed pages and its pace.

The graph says when a host may be asked again, for all workers; a lane keeps the pace between the
few pages that one lease brought. A host is given back with the last page of its lane.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from graphcrawl.crawl.plan import Pace
from graphcrawl.models import Claim, FetchOutcome, HostUpdate, NotFetched, Reason

OVERLOAD_PAUSE_S = 60.0  # after 429 or 503 without a usable Retry-After
LONGEST_PAUSE_S = 86_400.0
AHEAD = 8  # pages to hold for each request in flight, where hosts want no delay
HELD_PAUSE_S = 5.0  # for a longer pause the host's pages go back to the frontier


@dataclass(slots=True)
class Lane:
    """One leased host."""

    host: str
    token: int  # of the newest claim
    delay_s: float
    per_host: int  # requests in flight
    waiting: deque[Claim] = field(default_factory=deque)
    in_flight: int = 0
    next_start: float = 0.0  # on the monotonic clock
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

    def wait_s(self) -> float:
        """Seconds until the next request may start."""
        return self.next_start - time.monotonic()

    def lengthen(self, crawl_delay_s: float) -> None:
        """Obey the host's Crawl-delay where it is longer than ours."""
        self.delay_s = max(self.delay_s, crawl_delay_s)

    def start(self) -> Claim:
        """Take the next page; the delay counts from here where several may be in flight."""
        self.in_flight += 1
        self.next_start = time.monotonic() + self.delay_s
        return self.waiting.popleft()

    async def take_turn(self, delay_s: float) -> None:
        """Wait until the last request that took a turn is `delay_s` ago: a host's own wish.

        Several requests may have started before its robots.txt was known.
        """
        async with self.turn:
            await asyncio.sleep(self.last_turn + delay_s - time.monotonic())
            self.last_turn = time.monotonic()

    def finish(self, outcome: FetchOutcome) -> tuple[HostUpdate, tuple[Claim, ...]]:
        """Note that a request ended.

        Returns:
            What to record about the host, and pages to give back because it wants a long pause.
            The update carries the token when the lane is empty: the host is given back.
        """
        self.in_flight -= 1
        pause_s = self.delay_s
        failed = False
        if isinstance(outcome, NotFetched):
            failed = outcome.host_fault
            if outcome.retry_after_s is not None:
                pause_s = max(pause_s, min(outcome.retry_after_s, LONGEST_PAUSE_S))
            elif outcome.reason is Reason.TOO_MANY_REQUESTS or outcome.status == 503:
                pause_s = max(pause_s, OVERLOAD_PAUSE_S)
        if self.per_host == 1 or pause_s > self.delay_s:
            self.next_start = max(self.next_start, time.monotonic() + pause_s)
        pause_s = max(pause_s, self.wait_s())  # an earlier refusal may still count
        returned: tuple[Claim, ...] = ()
        if not self.in_flight and self.wait_s() > max(HELD_PAUSE_S, self.delay_s):
            returned = tuple(self.waiting)
            self.waiting.clear()
        token = self.token if self.idle else None
        return HostUpdate(self.host, self.delay_s, pause_s, failed, token), returned


class Lanes:
    """All hosts that this worker holds."""

    def __init__(
        self, *, delay_s: float, per_host: int, pace: Callable[[str], Pace] | None = None
    ) -> None:
        """Start empty.

        Args:
            delay_s: Seconds between two requests to a host; its Crawl-delay may lengthen it.
            per_host: Requests in flight a host.
            pace: Says what is different for a host; none: nothing for any.
        """
        self._delay_s, self._per_host = delay_s, per_host
        self._pace = pace or (lambda _: Pace(delay_s, per_host))
        self._lanes: dict[str, Lane] = {}

    def __iter__(self) -> Iterator[Lane]:
        return iter(list(self._lanes.values()))

    def take(self, claim: Claim) -> Lane:
        """Queue a claimed page and return its lane."""
        lane = self._lanes.get(claim.host)
        if lane is None:
            pace = self._pace(claim.host)
            lane = Lane(claim.host, claim.token, pace.delay_s, pace.per_host)
            self._lanes[claim.host] = lane
        lane.add(claim)
        return lane

    def drop(self, lane: Lane) -> None:
        """Forget a lane whose host was given back."""
        self._lanes.pop(lane.host, None)

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
