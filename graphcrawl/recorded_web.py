"""A web that is known already, as a replay asks for its pages: the types of its answers."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class ReplayLink(NamedTuple):
    """A link of a recorded page."""

    target: int
    weight: float = 1.0
    feed_hint: float = 0.0
    topic_hint: float = 0.0
    cues: tuple[int, ...] = ()


class Found(NamedTuple):
    """What a fetch of a recorded page gives."""

    links: Sequence[ReplayLink] = ()  # each target once, never the page itself
    worth: float = 0.0  # 0…1
    points: float = 0.0  # that rules grant it
    feed: int = -1  # which job feed it is; -1: none
    redirects: bool = False  # its one link is where it leads
    quality: float | None = None  # 0…1; None: its worth


class RecordedWeb(Protocol):
    """A web whose pages are numbers."""

    def __len__(self) -> int:
        """Return how many pages it has."""
        ...

    def url(self, page: int) -> str:
        """Return the canonical URL of a page."""
        ...

    def host(self, page: int) -> str:
        """Return the host key of a page."""
        ...

    def fetch(self, page: int) -> Found:
        """Return what a page gives."""
        ...
