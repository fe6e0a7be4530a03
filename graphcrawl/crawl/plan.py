"""What a run is to do: its limits, and the work on the graph that goes on beside it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from graphcrawl.robots_rules import AGENT
from graphcrawl.urls import host_name


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a host is asked."""

    delay_s: float  # between two requests
    per_host: int  # requests in flight
    max_pages: int = 0  # requests for pages that were not known, over all runs; 0: no limit


@dataclass(frozen=True, slots=True)
class Plan:
    """The limits of one run."""

    max_pages: int = 1000  # requests for pages; 0: no limit
    max_time_s: float | None = None
    concurrency: int = 16
    per_host: int = 1
    delay_s: float = 1.0
    slow_factor: float = 2.0  # a host rests so many times as long as it takes to answer
    max_pages_per_host: int = 0  # see `Pace.max_pages`
    agent: str = AGENT  # product token in lower case, to which wishes may be addressed
    max_tries: int = 3  # requests for a page before it is given up
    lease_s: float = 60.0
    hosts: Mapping[str, Pace] = field(default_factory=dict)  # by name, for its subdomains too
    patience_s: float = 70.0  # the longest wait for a host when nothing else is left to do
    grace_s: float = (
        30.0  # for what is in flight when a signal stops the run: large feeds take long
    )
    watch: bool = False  # go on when nothing is left: feeds fall due, seeds are added

    def pace(self, host: str) -> Pace:
        """Return the pace of a host: its own, else that of the nearest name above it, else all's.

        A name with a port is for that port alone, and goes before the same name without one.

        Args:
            host: A host key: the name, with the port where it is not the scheme's own.
        """
        name = host_name(host)
        labels = name.split(".") if not name.startswith("[") else [name]
        above = (".".join(labels[first:]) for first in range(len(labels)))
        found = next((self.hosts[key] for key in (host, *above) if key in self.hosts), None)
        return found or Pace(self.delay_s, self.per_host, self.max_pages_per_host)


@dataclass(frozen=True, slots=True)
class Beside:
    """Work on the graph while the crawl goes on, a tenth of its time at most for all together."""

    name: str
    work: Callable[[], Awaitable[object]]
    every_s: float  # at least this long between two runs
    every_pages: int = 1  # at least so many pages recorded between two runs
    expected_s: float = 0.1  # how long the first run takes
    share: float | None = None  # of wall time for this work alone; None: of that tenth
    of_all: bool = False  # pages of all workers of the graph count, not only this one's
    in_charge: Callable[[], bool] = lambda: True  # whether this worker does it, or another one
