"""What the loop needs of its parts."""

from typing import Protocol

from graphcrawl.models import Fetched, FetchOutcome, Page
from graphcrawl.robots import Verdict


class Fetcher(Protocol):
    """What the loop needs of `fetch.Fetcher`."""

    async def get(self, url: str) -> FetchOutcome:
        """Send one GET; page failures are values."""


class Robots(Protocol):
    """What the loop needs of `robots.Robots`."""

    async def check(self, url: str) -> Verdict:
        """Say whether the URL may be fetched now."""


class Reservations(Protocol):
    """What the loop needs of `tdmrep.Reservations`."""

    async def check(self, url: str) -> tuple[tuple[tuple[str, str], ...], bool]:
        """Return what is reserved of a page, as lines, and whether its host was asked just now."""


class Readers(Protocol):
    """What the loop needs of `readers.ReaderPool`."""

    @property
    def capacity(self) -> int:
        """How many pages can be read at once."""

    async def read(self, fetched: Fetched, depth: int) -> Page:
        """Parse and score a body in another process."""
