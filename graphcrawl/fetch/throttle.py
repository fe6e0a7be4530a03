"""Limits over all hosts: requests a second, bytes a second, requests in flight to one address."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import ip_address

from graphcrawl.fetch.addresses import AddressError, Resolver, is_public
from graphcrawl.limits import Cause
from graphcrawl.urls import host_key, host_name, origin

BURST_S = 0.25  # how far what arrives may run ahead of its limit
PER_PUBLIC_ADDRESS = 8  # many names may stand for one machine

_limit: ContextVar[asyncio.Timeout | None] = ContextVar("limit", default=None)


class Throttle:
    """Spaces requests and slows down reading, all of a worker's hosts together."""

    def __init__(self, per_s: float | None = None, bytes_per_s: int | None = None) -> None:
        """Limit nothing by default.

        Args:
            per_s: Requests a second, robots.txt included.
            bytes_per_s: Bytes that may arrive a second, as they come from the connections.
        """
        self._per_s, self._bytes_per_s = per_s, bytes_per_s
        self._next_at = 0.0  # when the next request may be sent
        self._paid_at = 0.0  # when all that has arrived will be within the limit
        self._waits: Counter[Cause] = Counter()  # requests that wait for a limit now

    async def start(self) -> None:
        """Wait until a request may be sent."""
        loop = asyncio.get_running_loop()
        if self._per_s:
            at = max(self._next_at, loop.time())
            self._next_at = at + 1 / self._per_s
            with self._waiting(Cause.RATE, at - loop.time()):
                await asyncio.sleep(at - loop.time())
        while self._bytes_per_s and (ahead_s := self._paid_at - loop.time()) > 0:
            with self._waiting(Cause.BANDWIDTH, ahead_s):
                await asyncio.sleep(ahead_s)

    async def received(self, size_bytes: int) -> None:
        """Note what has arrived, and wait where that is too much.

        The total time of a request does not run meanwhile, see `total_limit`.
        """
        if not self._bytes_per_s:
            return
        now = asyncio.get_running_loop().time()
        self._paid_at = max(self._paid_at, now) + size_bytes / self._bytes_per_s
        if (wait_s := self._paid_at - now - BURST_S) > 0:
            limit = _limit.get()
            if limit is not None and (end := limit.when()) is not None:
                limit.reschedule(end + wait_s)
            with self._waiting(Cause.BANDWIDTH, wait_s):
                await asyncio.sleep(wait_s)

    def held_back(self) -> Cause | None:
        """Return the limit that requests wait for just now; None: they wait for none."""
        return next((cause for cause, number in self._waits.items() if number), None)

    @contextmanager
    def _waiting(self, cause: Cause, seconds: float) -> Iterator[None]:
        self._waits[cause] += seconds > 0
        try:
            yield
        finally:
            self._waits[cause] -= seconds > 0


def total_limit(seconds: float) -> asyncio.Timeout:
    """Return a context that ends after that many seconds, not counting those of `Throttle`."""
    limit = asyncio.timeout(seconds)
    _limit.set(limit)  # of this task, until its next request
    return limit


@lru_cache(maxsize=4096)
def _is_public(address: str) -> bool:
    return is_public(ip_address(address.partition("%")[0]))


class AddressTurns:
    """Limits the requests in flight to one address, whatever names it has."""

    def __init__(self, resolver: Resolver, limit: int | None, patience_s: float) -> None:
        """Start with nothing in flight.

        Args:
            resolver: Knows the addresses of names, and keeps them.
            limit: Requests in flight to one address; None: 8 to a public one, any to others.
            patience_s: How long to wait for a name server; without an answer there is no limit.
        """
        self._resolver, self._limit, self._patience_s = resolver, limit, patience_s
        self._turns: dict[str, tuple[asyncio.Semaphore, int]] = {}  # and how many want it

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncIterator[None]:
        """Wait until one more request may go to the address of this URL's host."""
        address = await self._address(url)
        if address is None:
            yield
            return
        free, users = self._turns.get(address, (None, 0))
        free = free or asyncio.Semaphore(self._limit or PER_PUBLIC_ADDRESS)
        self._turns[address] = free, users + 1
        try:
            async with free:
                yield
        finally:
            free, users = self._turns.pop(address)
            if users > 1:
                self._turns[address] = free, users - 1

    async def _address(self, url: str) -> str | None:
        name, port = host_name(host_key(url)).strip("[]"), int(origin(url).rpartition(":")[2])
        try:
            async with asyncio.timeout(self._patience_s):
                found, _ = await self._resolver.addresses(name, port)
        except (AddressError, TimeoutError):
            return None  # the request itself will say so
        if self._limit is None and not _is_public(found[0]):
            return None
        return found[0]
