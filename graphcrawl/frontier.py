"""The frontier: who may fetch what, and when. Claims, leases, politeness and records.

One protocol, two implementations that pass one contract suite: `Neo4jFrontier` here and
`MemoryFrontier` in `frontier_memory`. Politeness, back-off and leases live in the same store as
the pages, so that a crash forgets nothing and any number of workers share it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from graphcrawl import strangers
from graphcrawl.errors import Neo4jAuthError, Neo4jError, Neo4jPanicError, Neo4jUnreachableError
from graphcrawl.facts import Rescored, Score, Scored, candidate
from graphcrawl.frontier_seeds import write_seeds
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.job_rows import write_jobs
from graphcrawl.models import Claim, HostUpdate, NotFetched, Outcome, Reason
from graphcrawl.order_rows import waiting, write_scores
from graphcrawl.record import record
from graphcrawl.recorded import RecordOptions, RecordReport
from graphcrawl.urls import host_key

_REAPED_AT_ONCE = 1000


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
    forgotten: int = 0  # not added: they were forgotten on request


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
        """Let the leases of pages and hosts end `lease_s` from now; return the claims lost.

        A lease that has ended is lost, for its host may be another worker's.
        """
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
        """Take back leases that have ended, let pages and hosts go on whose wait is over.

        Returns:
            How many leases were taken back.
        """
        ...

    async def refresh_hosts(self) -> None:
        """Rebuild what is derived: each host's best priority."""
        ...

    async def outlook(self) -> Outlook:
        """Say what waits and when there is something to claim."""
        ...

    async def blocked(self, hosts: Collection[str]) -> set[str]:
        """Return those of some hosts that are not to be asked any more."""
        ...

    async def waiting(self, urls: Collection[str], heads: int = 0) -> list[Scored]:
        """Return what is known of waiting pages that were never visited.

        Args:
            urls: Pages that may wait.
            heads: About so many more: the best of the best hosts.
        """
        ...

    async def rescore(self, scores: Mapping[str, float]) -> None:
        """Let pages wait by these scores, those that still wait and were never visited."""
        ...


class Neo4jFrontier:
    """The frontier in Neo4j.

    Whatever decides on a state first locks the node it decides about: hosts first, sorted by
    name, then pages. So two workers never lease one page, and never wait for each other in a
    circle. Recorders pass a gate one by one: several at once are slower.
    """

    def __init__(
        self,
        graph: Graph,
        crawl_id: str,
        worker: str,
        options: RecordOptions | None = None,
        now_ms: Callable[[], int | None] = lambda: None,
        score: Score | None = None,
        rescored: Rescored | None = None,
    ) -> None:
        """Use an open connection.

        Args:
            graph: With the schema prepared.
            crawl_id: Of the (:Crawl) whose counters go up.
            worker: A name that no other worker has.
            options: The figures that recording goes by.
            now_ms: For tests: milliseconds since 1970 in place of the server's clock.
            score: Gives the scores that new pages wait by; None: they wait by their reward.
            rescored: Gives scores of known pages to write with each record; None: none.
        """
        self._graph = graph
        self._crawl_id = crawl_id
        self._worker = worker
        self._options = options or RecordOptions()
        self._now_ms = now_ms
        self._score = score
        self._rescored = rescored

    async def seed(self, seeds: Sequence[Seed]) -> SeedReport:
        """Add pages to start from; see `Frontier`."""
        distinct = [*{s.url: s for s in reversed(seeds)}.values()][::-1]
        found = await write_seeds(self._graph, distinct, self._options, self._now_ms)
        new = sum(row["born"] for row in found)
        waiting = sum(row["waiting"] for row in found)
        return SeedReport(new, len(found) - new, waiting, len(distinct) - len(found))

    async def claim(
        self, *, pages: int, per_host: int, lease_s: float, refill: Sequence[str] = ()
    ) -> list[Claim]:
        """Lease waiting pages, best hosts first; see `Frontier`."""
        [row] = await self._graph.run(
            "frontier/claim",
            worker=self._worker,
            pages=pages,
            perHost=per_host,
            leaseMs=_ms(lease_s),
            refill=list(refill),
            facts=self._options.facts,
            nowMs=self._now_ms(),
        )
        return sorted(map(_claim, row["pages"]), key=lambda c: c.priority, reverse=True)

    async def renew(self, claims: Sequence[Claim], lease_s: float) -> list[Claim]:
        """Let leases end later; return the claims lost."""

        async def work(tx: Transaction) -> list[Row]:
            await tx.run("frontier/lock_hosts", names=_hosts(claims))
            return await tx.run(
                "frontier/renew",
                worker=self._worker,
                pages=_leases(claims),
                leaseMs=_ms(lease_s),
                nowMs=self._now_ms(),
            )

        held = await self._graph.transact(work)
        urls = {row["url"] for row in held}
        return [claim for claim in claims if claim.url not in urls]

    async def release(self, claims: Sequence[Claim]) -> None:
        """Give pages and their hosts back; see `Frontier`."""
        newest: dict[str, int] = {}
        for claim in claims:
            newest[claim.host] = max(claim.token, newest.get(claim.host, 0))

        async def work(tx: Transaction) -> None:
            names = sorted(newest)
            await tx.run("frontier/lock_hosts", names=names)
            await tx.run(
                "frontier/release",
                pages=_leases(claims),
                feedHintPoints=self._options.feed_hint_points,
            )
            await tx.run(
                "frontier/release_hosts",
                worker=self._worker,
                hosts=[{"name": name, "token": newest[name]} for name in names],
                nowMs=self._now_ms(),
            )
            await tx.run("frontier/best_priority", names=names)

        await self._graph.transact(work)

    async def reap(self) -> int:
        """Take back what has ended; see `Frontier`."""

        async def unpark(tx: Transaction) -> None:
            due = await tx.run("frontier/unpark", nowMs=self._now_ms())
            await tx.run("frontier/best_priority", names=[row["name"] for row in due])

        await self._graph.transact(unpark)
        await self._let_wait("frontier/due_pages", "frontier/ready")
        return await self._let_wait("frontier/expired", "frontier/reap")

    async def _let_wait(self, look: str, act: str) -> int:
        """Let the pages that `look` names wait to be claimed, under the locks of their hosts.

        Args:
            look: A reading statement that returns url and host.
            act: A statement that takes those URLs, looks again and returns those it let wait.

        Returns:
            How many pages wait now.
        """

        async def some(tx: Transaction) -> int:
            now_ms = self._now_ms()
            found = await tx.run(look, limit=_REAPED_AT_ONCE, nowMs=now_ms)
            names = sorted({row["host"] for row in found})
            await tx.run("frontier/lock_hosts", names=names)
            points = self._options.feed_hint_points
            urls = [row["url"] for row in found]
            done = await tx.run(act, urls=urls, feedHintPoints=points, nowMs=now_ms)
            await tx.run("frontier/best_priority", names=names)
            return len(done)

        total = 0
        while (done := await self._graph.transact(some)) == _REAPED_AT_ONCE:
            total += done
        return total + done

    async def refresh_hosts(self) -> None:
        """Rebuild each host's best priority."""
        await strangers.mend(self._graph)
        await self._graph.run("frontier/refresh_hosts")

    async def outlook(self) -> Outlook:
        """Say what waits and when there is something to claim."""
        row = (await self._graph.run("frontier/outlook", nowMs=self._now_ms()))[0]
        return Outlook(row["waiting"], row["leased"], row["dueHosts"], row["nextDueS"])

    async def blocked(self, hosts: Collection[str]) -> set[str]:
        """Return those of some hosts that are blocked; see `Frontier`."""
        rows = await self._graph.run("frontier/blocked", names=list(hosts)) if hosts else []
        return {row["name"] for row in rows}

    async def waiting(self, urls: Collection[str], heads: int = 0) -> list[Scored]:
        """Return what is known of waiting pages; see `Frontier`."""
        return await waiting(self._graph, urls, heads)

    async def rescore(self, scores: Mapping[str, float]) -> None:
        """Let pages wait by these scores; see `Frontier`."""
        await write_scores(self._graph, scores)

    async def record(
        self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate] = ()
    ) -> RecordReport:
        """Write what became of claimed pages; see `Frontier`.

        Raises:
            Neo4jError: The server is gone, or refuses even to note that it refused a page.
        """
        rescored = self._rescored() if self._rescored else ()

        async def work(tx: Transaction) -> RecordReport:
            return await record(
                tx,
                outcomes,
                hosts,
                options=self._options,
                crawl_id=self._crawl_id,
                now_ms=self._now_ms(),
                score=self._score,
                rescored=rescored,
            )

        try:
            jobs = await write_jobs(self._graph, outcomes)
            report = await self._graph.transact(work)
            return replace(report, jobs=jobs)
        except (Neo4jUnreachableError, Neo4jAuthError, Neo4jPanicError):
            raise
        except Neo4jError as error:  # for good: find the guilty page and let the others through
            if len(outcomes) > 1:
                middle = len(outcomes) // 2
                first = await self.record(outcomes[:middle])
                return first + await self.record(outcomes[middle:], hosts)
            if not outcomes or _reason(outcomes[0]) is Reason.RECORD:
                raise
            failed = _unrecordable(outcomes[0], error)
            report = await self.record([failed], hosts)
            return replace(report, unrecordable=(*report.unrecordable, failed.claim.url))


async def add_seeds(
    graph: Graph, urls: Sequence[str], reward: float, share: float = 1.0
) -> SeedReport:
    """Add pages to start from, outside of any run; runs that go on meanwhile claim them.

    Args:
        graph: With the schema prepared.
        urls: Canonical.
        reward: Points that each starts with, unless it is a seed already.
        share: Of them that count at once, see `rewards.grant_share`.
    """
    frontier = Neo4jFrontier(graph, "", "", RecordOptions(grant_share=share))
    return await frontier.seed([Seed(url, host_key(url), reward) for url in urls])


def _unrecordable(outcome: Outcome, error: Neo4jError) -> Outcome:
    """Return what to record of a page that Neo4j would not take."""
    fetch = NotFetched(
        outcome.claim.url,
        Reason.RECORD,
        str(error).splitlines()[0][:500],
        outcome.fetch.fetched_at,
        outcome.fetch.elapsed_s,
        outcome.fetch.status,
    )
    return Outcome(outcome.claim, fetch)


def _reason(outcome: Outcome) -> Reason | None:
    return outcome.fetch.reason if isinstance(outcome.fetch, NotFetched) else None


def _claim(row: Row) -> Claim:
    known = row.pop("facts")
    claim = Claim(**row)
    if known is None:
        return claim
    return replace(claim, facts=candidate(claim.url, claim.host, claim.depth, known))


def _leases(claims: Sequence[Claim]) -> list[Row]:
    return [{"url": claim.url, "token": claim.token} for claim in claims]


def _hosts(claims: Sequence[Claim]) -> list[str]:
    return sorted({claim.host for claim in claims})


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
