"""Waits for a Neo4j that has gone away: a crawl goes on once it is back."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from graphcrawl.errors import Neo4jUnreachableError, ServerError

T = TypeVar("T")

FIRST_PAUSE_S = 0.1  # doubles
LONGEST_PAUSE_S = 2.0
REVIVE_AFTER_S = 0.5  # a connection that was merely cut is there again by then

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Patience:
    """How long work on a graph waits for its server, and what is done meanwhile."""

    wait_s: float = 0.0  # 0: not at all
    revive: Callable[[], Awaitable[None]] | None = None  # starts an embedded server that crashed
    gives_up: Callable[[], bool] = lambda: False  # somebody wants the work to end
    on_wait: Callable[[], None] = lambda: None  # called again and again while it is away
    away_since: float | None = None  # on the monotonic clock
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(
        self, work: Callable[[], Awaitable[T]], *, is_repeatable: Callable[[Exception], bool]
    ) -> T:
        """Do the work, and do it again when the server was away.

        Args:
            work: All or nothing; where a commit was not acknowledged, it may have happened.
            is_repeatable: Whether it may be done again after this error.

        Raises:
            Neo4jUnreachableError: The server was away for too long.
        """
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                done = await work()
            except Neo4jUnreachableError as error:
                if not self._bears() or not is_repeatable(error):
                    raise
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
                await self._revive()
            else:
                self._is_back()
                return done

    def _bears(self) -> bool:
        """Tell whether to wait on."""
        now = time.monotonic()
        if self.wait_s <= 0 or self.gives_up():
            return False
        if self.away_since is None:
            self.away_since = now
            logger.warning("Neo4j does not answer; waiting for it for %s.", _spelt(self.wait_s))
        self.on_wait()
        return now - self.away_since < self.wait_s

    def _is_back(self) -> None:
        if self.away_since is not None:
            away_s, self.away_since = time.monotonic() - self.away_since, None
            logger.warning("Neo4j is back after %s.", _spelt(away_s))

    async def _revive(self) -> None:
        since = self.away_since
        if self.revive is None or since is None or time.monotonic() - since < REVIVE_AFTER_S:
            return
        async with self._turn:
            if self.away_since is not None:
                with suppress(ServerError, Neo4jUnreachableError):  # it is tried again
                    await self.revive()


def _spelt(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
