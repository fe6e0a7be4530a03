"""What is in the graph: counts, pages and feeds, as typed values. Prints nothing."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from graphcrawl import control, limits, strangers, where
from graphcrawl.graph import Graph, Row
from graphcrawl.states import State
from graphcrawl.works import Work, last_works, stale_s

NO_LIMIT = 2**62


class Bound(StrEnum):
    """What keeps a crawl from going faster, as far as the graph can tell."""

    FRONTIER = "frontier"  # nothing waits
    IN_FLIGHT = "in-flight"  # nothing waits, but some pages are being fetched
    HOSTS = "hosts"  # pages wait, but their hosts are parked or have no priority
    POLITENESS = "politeness"  # pages wait for their hosts' delays
    NONE = "none"  # hosts are due: the crawler itself is the limit


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are; a fetched page that waits for a revisit counts as both."""

    neurons: int
    axons: int
    frontier: int
    leased: int
    fetched: int
    failed: int
    excluded: int
    pruned: int
    seeds: int
    rewarded: int
    feeds: int
    needs_script: int  # fetched, but empty without scripts


@dataclass(frozen=True, slots=True)
class Hosts:
    """Hosts by what they allow now."""

    hosts: int
    waiting: int  # with pages in the frontier
    due: int  # of these: may be asked now
    parked: int  # failed too often, or are blocked
    next_due_s: float | None  # until the next waiting host may be asked; None: none has to wait


@dataclass(frozen=True, slots=True)
class Rewards:
    """Reward in the whole graph."""

    total: float
    greatest: float | None
    granted: float  # by rules and seeds; the rest was minted for newborns, less what was forgotten
    distributions: int  # iterations so far
    mode: str | None = None  # how reward flows: neural or steady; None before the first crawl


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page at the frontier's head."""

    url: str
    host: str
    priority: float
    reward: float | None
    depth: int | None


@dataclass(frozen=True, slots=True)
class LastCrawl:
    """The run that was started last."""

    id: str
    started_at: datetime | None
    finished_at: datetime | None  # None: it runs, or it was killed
    stop_reason: str | None
    order: str = "reward"  # what its frontier was ordered by


@dataclass(frozen=True, slots=True)
class SlowHost:
    """A host that takes long to answer."""

    host: str
    latency_s: float  # that it takes to answer, smoothed
    delay_s: float | None  # between two requests
    requests: int  # so far


@dataclass(frozen=True, slots=True)
class Status:
    """The graph at a glance."""

    counts: Counts
    hosts: Hosts
    rewards: Rewards
    frontier_head: tuple[Waiting, ...]
    expired_leases: int
    last_crawl: LastCrawl | None
    limited_by: Bound  # by what the hosts allow, whether or not a crawl runs
    runs: tuple[limits.Run, ...]  # crawls that are alive
    limit: limits.Verdict  # what limits the crawl now, in one sentence
    paused_at: datetime | None = None  # since when all workers pause, by somebody's wish
    works: tuple[Work, ...] = ()  # what ran beside crawls last
    priorities_stale_s: float | None = None  # what changed since is in no priority; None: never set


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page as `graphcrawl pages` prints it."""

    url: str
    host: str
    state: State | None
    reason: str | None
    error: str | None
    title: str | None
    language: str | None
    status: int | None
    content_type: str | None
    bytes: int | None
    depth: int | None
    reward: float | None
    base_reward: float | None
    priority: float | None
    in_links: int | None
    strength: float | None
    grants: tuple[str, ...]
    wishes: tuple[str, ...]  # of the page's owner: noindex, nofollow, noai …
    reserved: bool  # they reserve text and data mining, or AI training
    seed: bool
    feed: bool
    discovered_at: datetime | None
    fetched_at: datetime | None


@dataclass(frozen=True, slots=True)
class FeedRow:
    """One job feed that was found."""

    url: str  # where it lies after all redirects
    form: str
    jobs: int  # that it lists now
    reward: float
    links: int  # pages that link to it
    found_by: str | None  # the page that was paid for finding it
    new: int | None = None  # of its last reading, as the two below; None: its jobs are not kept
    changed: int | None = None
    gone: int | None = None
    cut: int | None = None  # records that the last reading could not read
    repeated: int | None = None  # that stated a job once more
    clashes: int | None = None  # own ids that meant several jobs
    untitled: int | None = None  # jobs without a title
    ended: str | None = None  # why that reading ended early, and so marked none gone; or `reading`
    unread_bytes: int | None = None  # left unread then, as far as known; with jobs nobody counted
    read_at: datetime | None = None  # its last reading
    next_read_at: datetime | None = None  # while a crawl runs; None: the next crawl decides
    interval_s: float | None = None  # between two readings, as learned so far
    waits: bool = False  # for its next reading, in the frontier or in a worker's hands
    error: str | None = None  # why it could not be read again


async def feeds(graph: Graph) -> list[FeedRow]:
    """Return the job feeds in the order in which they were read. [000.evaluate]."""
    return [FeedRow(**row) for row in snake(await graph.run("look/feeds"))]


async def status(
    graph: Graph,
    *,
    head: int = 5,
    now: datetime | None = None,
    command: str = "graphcrawl crawl",
) -> Status:
    """Look at the whole graph. All but the sum of rewards is counted without a scan.

    Args:
        graph: An open graph.
        head: How many pages of the frontier's head to return.
        now: For tests; the server's time otherwise.
        command: What to type to go on with the crawl.
    """
    now_ms = _milliseconds(now)
    counts = Counts(**snake([await strangers.counts(graph)])[0])
    hosts = Hosts(**snake(await graph.run("look/hosts", nowMs=now_ms))[0])
    crawls = snake(await graph.run("look/last_crawl"))
    last = LastCrawl(**crawls[0]) if crawls else None
    runs = [limits.Run(**row) for row in snake(await graph.run("look/runs", nowMs=now_ms))]
    expired = (await graph.run("look/expired_leases", nowMs=now_ms))[0]["expired"]
    paused_at = await control.paused_at(graph)
    ran = await last_works(graph)
    return Status(
        works=ran,
        priorities_stale_s=stale_s(ran, last.order, last.finished_at, now) if last else None,
        counts=counts,
        hosts=hosts,
        rewards=Rewards(**snake(await graph.run("look/rewards"))[0]),
        frontier_head=tuple(
            Waiting(**row) for row in snake(await graph.run("look/head", limit=head))
        ),
        expired_leases=expired,
        last_crawl=last,
        limited_by=bound(counts, hosts),
        runs=tuple(runs),
        limit=limits.of_graph(
            runs=runs,
            seeds=counts.seeds,
            waiting=counts.frontier,
            leased=counts.leased,
            expired=expired,
            waiting_hosts=hosts.waiting,
            due_hosts=hosts.due,
            next_due_s=hosts.next_due_s,
            stop_reason=last.stop_reason if last else None,
            command=command,
            paused_at=paused_at,
        ),
        paused_at=paused_at,
    )


async def slow_hosts(graph: Graph, limit: int = 5) -> list[SlowHost]:
    """Return the hosts that take longest to answer."""
    return [SlowHost(**row) for row in snake(await graph.run("look/slow_hosts", limit=limit))]


def _milliseconds(now: datetime | None) -> int | None:
    return None if now is None else int(now.timestamp() * 1000)


def bound(counts: Counts, hosts: Hosts) -> Bound:
    """Say what keeps a crawl from going faster."""
    if counts.frontier == 0:
        return Bound.IN_FLIGHT if counts.leased else Bound.FRONTIER
    if hosts.waiting == 0:
        return Bound.HOSTS
    return Bound.NONE if hosts.due else Bound.POLITENESS


async def pages(
    graph: Graph,
    terms: Sequence[where.Term] = (),
    *,
    sort: str = "reward",
    reverse: bool = False,
    limit: int = 25,
) -> AsyncIterator[PageRow]:
    """Yield pages that pass a filter, in order, one by one.

    Args:
        graph: An open graph.
        terms: Conditions that must all hold, see `where.parse`.
        sort: A field. Texts and depths start at the smallest, all others at the greatest; pages
            without the field come last.
        reverse: Turn the order.
        limit: Pages; 0 means all.

    Raises:
        UsageError: The field cannot be sorted by.
    """
    key, descending = where.sort_property(sort)
    rows = graph.stream(
        "look/pages",
        terms=[term.as_parameter() for term in terms],
        sort=key,
        descending=descending != reverse,
        limit=min(limit or NO_LIMIT, NO_LIMIT),
    )
    async for row in rows:
        values = snake([row])[0]
        values["grants"] = tuple(values["grants"])
        values["wishes"] = tuple(values["wishes"])
        values["state"] = State(values["state"]) if values["state"] else None
        yield PageRow(**values)


def snake(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Turn the graph's camelCase into names of ours, and its times into Python's."""
    return [{_snake_case(key): _native(value) for key, value in row.items()} for row in rows]


def _native(value: Any) -> Any:
    return value.to_native() if hasattr(value, "to_native") else value


@cache
def _snake_case(key: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in key)
