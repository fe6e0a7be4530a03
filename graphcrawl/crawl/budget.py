"""How many pages a run may ask for: a number of its own, or its part of one for several workers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Take = Callable[[int], Awaitable[int]]


@dataclass(slots=True)
class Budget:
    """Pages that a run may ask for."""

    pages: int  # as yet; 0 where nothing is to be taken: no limit
    take: Take | None = None  # asks for so many more of a common budget; returns what it got

    async def left(self, used: int, wanted: int) -> int:
        """Return how many more pages may be claimed now.

        Args:
            used: Pages that were asked for or are claimed.
            wanted: At most so many.
        """
        if self.take is None:
            return wanted if not self.pages else max(min(wanted, self.pages - used), 0)
        missing = used + wanted - self.pages
        if missing > 0:
            self.pages += await self.take(missing)
        return max(min(wanted, self.pages - used), 0)
