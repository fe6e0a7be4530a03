"""Hosts as people see them: how they are doing and why; block and unblock; failed pages again."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graphcrawl import where
from graphcrawl.graph import Graph, Transaction
from graphcrawl.look import NO_LIMIT, snake
from graphcrawl.names import bare_name, is_below, is_many, names_for
from graphcrawl.urls import host_key

_RETRIED_AT_ONCE = 1000


class HostState(StrEnum):
    """What a host is to the crawl now."""

    BLOCKED = "blocked"  # by hand
    PARKED = "parked"  # failed too often in a row
    PAUSED = "paused"  # refused: 429 or 503
    IN_WORK = "in work"  # a worker holds it
    RESTING = "resting"  # between two requests
    DUE = "due"  # may be asked now, and has waiting pages
    IDLE = "idle"  # nothing of it waits


@dataclass(frozen=True, slots=True)
class HostRow:
    """One host. Times are UTC."""

    host: str  # host key: name, and port where it is not its scheme's; or a blocked name for many
    state: HostState
    trouble: str | None  # what was wrong with its last answer, or robots.txt
    waiting: int  # pages that may be claimed, now or when it is asked again
    requests: int  # for pages that were not known, over all runs
    delay_s: float | None  # between two requests, as slow as it answers
    latency_s: float | None  # that it takes to answer, smoothed
    failures: int  # in a row
    refusals: int  # 429 and 503 that it is not forgiven yet
    next_fetch_at: datetime | None  # or the end of the lease
    parked_until: datetime | None
    blocked_at: datetime | None
    block_reason: str | None
    leased_by: str | None
    best_priority: float | None


@dataclass(frozen=True, slots=True)
class Blocked:
    """What became of one host that was blocked or unblocked."""

    host: str
    known: bool  # the graph had it
    before: bool  # it was blocked before
    hosts: int | None = None  # of a name for many: how many known hosts it concerns


async def listed(
    graph: Graph,
    *,
    host: str | None = None,
    state: HostState | None = None,
    limit: int = 0,
    now: datetime | None = None,
) -> AsyncIterator[HostRow]:
    """Yield hosts: those with trouble first, then by what their best waiting pages are worth.

    Args:
        graph: An open graph.
        host: Only this one, a host key.
        state: Only those in this state.
        limit: Hosts; 0 means all.
        now: For tests; the server's time otherwise.
    """
    rows = graph.stream(
        "look/host" if host is not None else "look/host_list",
        **({"host": host} if host is not None else {"limit": limit or NO_LIMIT}),
        **({"state": state} if host is None else {}),
        nowMs=None if now is None else int(now.timestamp() * 1000),
    )
    async for row in rows:
        values = snake([row])[0]
        yield HostRow(**values | {"state": HostState(values["state"])})


async def block(graph: Graph, hosts: Sequence[str], reason: str | None = None) -> list[Blocked]:
    """Let nobody ask these hosts any more; running crawls obey within seconds.

    Args:
        graph: An open graph.
        hosts: Host keys, or names for many (`names`); one that the graph does not know yet is
            blocked all the same, and so is each host that comes under such a name later.
        reason: Why, for those who look.
    """
    return await _set_blocked(graph, hosts, blocked=True, reason=reason)


async def unblock(graph: Graph, hosts: Sequence[str]) -> list[Blocked]:
    """Let hosts be asked again; return those that the graph knows.

    A name for many frees the hosts that it had blocked itself. A single host that is freed is an
    exception from then on: the name stays blocked for all others.
    """
    return await _set_blocked(graph, hosts, blocked=False)


async def _set_blocked(
    graph: Graph, hosts: Sequence[str], *, blocked: bool, reason: str | None = None
) -> list[Blocked]:
    names = sorted(set(hosts))

    async def work(tx: Transaction) -> list[Blocked]:
        await tx.run("write/gate")  # no recorder adds a host between the look and the name
        rows = await tx.run("write/block", names=names, blocked=blocked, reason=reason)
        concerned = set(names)
        found: dict[str, int] = {}
        for name in filter(is_many, names):
            if blocked:
                bare, below = bare_name(name), is_below(name)
                how = {"wide": name, "bare": bare, "below": below, "reason": reason}
                done = (await tx.run("block/all", **how))[0]
                changed, found[name] = set(done["changed"]), done["hosts"]
            else:
                changed = {row["name"] for row in await tx.run("block/none", wide=name)}
                await _block_by_others(tx, changed)
                found[name] = len(changed)
            concerned |= changed
        await tx.run("frontier/best_priority", names=sorted(concerned))
        return [Blocked(r["name"], r["known"], r["before"], found.get(r["name"])) for r in rows]

    return await graph.transact(work)


async def _block_by_others(tx: Transaction, hosts: Collection[str]) -> None:
    """Let hosts that one name does not block any more be blocked by another that holds for them."""
    above = sorted({name for host in hosts for name in names_for(host)})
    rows = await tx.run("block/above", names=above)
    for row in rows:
        concerned = sorted(host for host in hosts if row["name"] in names_for(host))
        await tx.run("block/some", names=concerned, wide=row["name"], reason=row["reason"])


async def retry(graph: Graph, filters: Sequence[str] = ()) -> int:
    """Let pages wait again that were given up; return how many.

    Args:
        graph: An open graph.
        filters: As `pages --where` takes them; all must hold. None: every failed page.

    Raises:
        UsageError: A filter cannot be read.
    """
    terms = [term.as_parameter() for term in where.parse([*filters, "state=failed"])]
    urls: list[str] = []
    total = 0

    async def some(tx: Transaction) -> int:
        hosts = sorted({host_key(url) for url in urls})
        await tx.run("frontier/lock_hosts", names=hosts)
        rows = await tx.run("write/retry", urls=sorted(urls))
        await tx.run("frontier/best_priority", names=hosts)
        return len(rows)

    async for row in graph.stream("look/pages", terms=terms, limit=NO_LIMIT):
        urls.append(row["url"])
        if len(urls) == _RETRIED_AT_ONCE:
            total += await graph.transact(some)
            urls.clear()
    return total + (await graph.transact(some) if urls else 0)
