"""What a run is to do: its limits, and the work on the graph that goes on beside it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The limits of one run."""

    max_pages: int = 1000  # requests for pages; 0: no limit
    max_time_s: float | None = None
    concurrency: int = 16
    per_host: int = 1
    delay_s: float = 1.0
    lease_s: float = 60.0
    patience_s: float = 70.0  # the longest wait for a host when nothing else is left to do
    watch: bool = False  # go on when nothing is left: feeds fall due, seeds are added


@dataclass(frozen=True, slots=True)
class Beside:
    """Work on the graph while the crawl goes on, a tenth of its time at most."""

    name: str
    work: Callable[[], Awaitable[object]]
    every_s: float  # at least this long between two runs
    every_pages: int = 1  # at least so many pages recorded between two runs
    expected_s: float = 0.1  # how long the first run takes
