"""The jobs that feeds and pages list, as typed rows: what is there, what is new, gone or changed.

A job is one row over all feeds and readings. What a reading added, changed or dropped is told by
times that recording keeps on the `(:Job)`; nothing is written here.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, cast

from graphcrawl import where
from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph
from graphcrawl.look import NO_LIMIT, snake
from graphcrawl.setting_values import parse_duration_s

POLL_S = 2.0


class What(StrEnum):
    """Which jobs to list."""

    ALL = "all"
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    ANY = "any"  # one of the three


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job, as `graphcrawl jobs` prints it."""

    id: str
    title: str | None
    company: str | None
    place: str | None
    country: str | None
    region: str | None
    city: str | None
    posted: datetime | None  # UTC; a date alone is its midnight
    first_seen_at: datetime | None
    last_seen_at: datetime | None
    changed_at: datetime | None
    gone_at: datetime | None  # None: its feed still lists it
    url: str | None
    feed: str | None  # None: a page states it
    description: str | None
    employment: str | None
    salary: str | None
    closes: datetime | None  # likewise
    place_raw: str | None
    posted_raw: str | None


COLUMNS = tuple(JobRow.__dataclass_fields__)


def as_dict(job: JobRow) -> dict[str, Any]:
    """Return a job's columns by name; `dataclasses.asdict` would copy each value."""
    return {name: getattr(job, name) for name in COLUMNS}


async def jobs(
    graph: Graph,
    terms: Sequence[where.Term] = (),
    *,
    what: What = What.ALL,
    since: datetime | None = None,
    limit: int = 0,
) -> AsyncIterator[JobRow]:
    """Yield jobs, the newest first, one by one.

    Args:
        graph: An open graph.
        terms: Conditions that must all hold, see `where.parse` with `where.JOB_FIELDS`.
        what: All, or those that are new, changed or gone.
        since: From then on. Without it, what is new, changed or gone is what the last reading of
            the job's feed (or page) made so. All jobs since then are those of `ANY`.
        limit: Jobs; 0 means all.
    """
    if since is None and what is What.ANY:
        raise ValueError("any change needs a time to count from")
    if since is not None and what is What.ALL:
        what = What.ANY
    rows = graph.stream(
        "look/jobs",
        what=what,
        since=since,
        terms=[term.as_parameter() for term in terms],
        limit=min(limit or NO_LIMIT, NO_LIMIT),
    )
    async for row in rows:
        yield _job(row)[0]


async def follow(
    graph: Graph,
    terms: Sequence[where.Term] = (),
    *,
    since: datetime | None = None,
    poll_s: float = POLL_S,
) -> AsyncIterator[JobRow]:
    """Yield new jobs as readings add them, the oldest first, without an end.

    What was looked at is told by the numbers of transactions, which become visible in their order,
    and not by time: the jobs of a long reading carry the time of its fetch.

    Args:
        graph: An open graph; another process crawls it.
        terms: Conditions that must all hold.
        since: Begin with the jobs seen first from then on; None: only those to come.
        poll_s: Seconds between two looks.
    """
    parameters = [term.as_parameter() for term in terms]
    looked = await _newest_batch(graph)
    if since is not None:
        rows = graph.stream(
            "look/jobs", what=What.NEW, since=since, terms=parameters, limit=NO_LIMIT
        )
        known = [job async for row in rows for job, batch in [_job(row)] if batch <= looked]
        for job in reversed(known):
            yield job
    while True:
        newest = await _newest_batch(graph)
        if newest > looked:
            rows = graph.stream("look/new_jobs", after=looked, until=newest, terms=parameters)
            async for row in rows:
                yield _job(row)[0]
            looked = newest
        await asyncio.sleep(poll_s)


async def _newest_batch(graph: Graph) -> int:
    return int((await graph.run("jobs/batch"))[0]["batch"])


def _job(row: dict[str, Any]) -> tuple[JobRow, int]:
    """Return a job, and the number of the transaction that added it."""
    batch = row.pop("batch")
    return JobRow(**snake([row])[0]), batch


def parse_since(text: str, now: datetime | None = None) -> datetime:
    """Read a length of time back from now, such as `2d`, or an ISO date or time in UTC.

    Raises:
        UsageError: It is neither.
    """
    words = text.strip()
    with suppress(ValueError):
        time = datetime.fromisoformat(words)
        return time if time.tzinfo else time.replace(tzinfo=UTC)
    try:
        back_s = cast("float", parse_duration_s(words))  # of a string it makes a float, or raises
        return (now or datetime.now(UTC)) - timedelta(seconds=back_s)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"Cannot read the time {text!r}.",
            "Write --since 2d, 12h or 30m, or a date such as 2026-01-31.",
        ) from error
