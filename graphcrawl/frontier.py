"""The frontier: who may fetch what, and when. Claims, leases, politeness and records.

One protocol, two implementations that pass one contract suite: `Neo4jFrontier` here and
`MemoryFrontier` in `frontier_memory`. Politeness, back-off and leases live in the same store as
the pages, so that a crash forgets nothing and any number of workers share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphcrawl.models import Claim, HostUpdate, Outcome
from graphcrawl.record import RecordReport


@dataclass(frozen=True, slots=True)
class Seed:
    """A page to start from."""

    url: str  # canonical
    host: str  # its host key
    reward: float = 100.0  # points it starts with, granted once


@dataclass(frozen=True, slots=True)
class SeedReport:
    """What became of the seeds."""

    new: int  # neurons that did not exist before
    known: int  # neurons that did
    waiting: int  # of both, how many wait to be fetched now


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the frontier holds, and when it has something to give."""

    waiting: int  # pages that may be claimed, now or later
    leased: int  # pages that some worker holds
    due_hosts: int  # hosts with waiting pages that may be asked now
    next_due_s: float | None  # until a host may be asked or a lease ends; None: nothing waits


class Frontier(Protocol):
    """What the crawl asks of its memory. All methods are safe beside other workers."""

    async def seed(self, seeds: Sequence[Seed]) -> SeedReport:
        """Add pages to start from. Doing it again changes nothing.

        A known page becomes a seed too, with the seed's reward once; it waits when it has never
        been asked for, or when all it ever gave was no answer or a server's error.
        """
        ...

    async def claim(
        self, *, pages: int, per_host: int, lease_s: float, refill: Sequence[str] = ()
    ) -> list[Claim]:
        """Lease waiting pages, best hosts first, and with them their hosts.

        Args:
            pages: At most so many in all.
            per_host: At most so many of one host.
            lease_s: Seconds until the lease ends by itself.
            refill: Hosts that this worker holds already, of which it may take more. The host's
                token becomes that of the newest claim.

        Returns:
            The leased pages, best first. A host's pages carry one token.
        """
        ...

    async def renew(self, claims: Sequence[Claim], lease_s: float) -> list[Claim]:
        """Let the leases of pages and hosts end `lease_s` from now; return the claims lost."""
        ...

    async def record(
        self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate] = ()
    ) -> RecordReport:
        """Write what became of claimed pages, all or nothing. Doing it again changes nothing.

        The page of an outcome is what parsing made of it. For a `Redirected` it may say by its
        `excluded` that the target shall not wait.

        Args:
            outcomes: At most a few dozen; those whose lease is another's are refused.
            hosts: What was learnt about hosts. One with a token gives the host back.
        """
        ...

    async def release(self, claims: Sequence[Claim]) -> None:
        """Give pages back that were not asked for, and their hosts.

        No request to these hosts may be in flight.
        """
        ...

    async def reap(self) -> int:
        """Take back leases that have ended, unpark hosts whose wait is over; return the pages."""
        ...

    async def refresh_hosts(self) -> None:
        """Rebuild what is derived: each host's best priority."""
        ...

    async def outlook(self) -> Outlook:
        """Say what waits and when there is something to claim."""
        ...
