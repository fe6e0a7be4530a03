"""Leases kept: renewed while pages are in hand, and given up where they have run out."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from graphcrawl.crawl.lanes import Lanes
from graphcrawl.frontier import Frontier
from graphcrawl.models import Claim

_RENEWALS = 3  # within the time of one lease
_SURE = 0.9  # share of a lease's time that it is taken for sure


class Leases:
    """The leases of one worker.

    A process that was suspended, or that could not reach the graph, may wake up with leases that
    have ended: their hosts may be another worker's by now. So before each request it must be sure
    of them, and what it lost it forgets.
    """

    def __init__(
        self, frontier: Frontier, lanes: Lanes, in_hand: dict[str, Claim], lease_s: float
    ) -> None:
        """Watch over what is in hand.

        Args:
            frontier: Where it was claimed.
            lanes: Where it waits for its host's turn.
            in_hand: All of it, by URL, until it is recorded.
            lease_s: Seconds that a lease lasts.
        """
        self._frontier, self._lanes, self._in_hand = frontier, lanes, in_hand
        self._lease_s = lease_s
        self._sure_until = time.monotonic() + _SURE * lease_s
        self._turn = asyncio.Lock()

    async def keep(self, ended_within: Callable[[float], Awaitable[bool]]) -> None:
        """Renew again and again.

        Args:
            ended_within: Waits so many seconds, or until the crawl has ended; tells whether.
        """
        while not await ended_within(self._lease_s / _RENEWALS):
            async with self._turn:
                await self._renew()

    async def sure(self) -> None:
        """Return once no lease in hand can have ended without our knowing."""
        if time.monotonic() < self._sure_until:
            return
        async with self._turn:
            if time.monotonic() >= self._sure_until:
                await self._renew()

    async def _renew(self) -> None:
        begun = time.monotonic()  # leases that are claimed from here on last longer
        claims = list(self._in_hand.values())
        lost = await self._frontier.renew(claims, self._lease_s) if claims else []
        self._sure_until = begun + _SURE * self._lease_s
        for claim in lost:
            if self._lanes.lose(claim):  # else it was asked for: whether it counts, record decides
                self._in_hand.pop(claim.url, None)
