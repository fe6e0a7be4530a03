"""What ran beside a crawl: when, how long it took, and how stale priorities may be.

A run tells the graph with each of its beats. What `propagate` did without a crawl is told as well.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from graphcrawl.graph import Graph

WHAT: Final = {
    "distribute": "distribution, with priorities",
    "push": "push, with priorities",
    "order": "rescoring",
    "rank": "PageRank of the order",
    "prune": "prune",
    "model": "what scoring learned",
    "feeds": "feeds that are due",
    "texts": "texts to be dropped",
}
_BY_REWARD: Final = ("distribute", "push")  # set the priorities of pages that wait by their reward
_BY_SCORE: Final = ("order",)


@dataclass(frozen=True, slots=True)
class Ran:
    """The last run of some work."""

    begun_at: datetime  # UTC
    seconds: float
    runs: int  # so far


@dataclass(frozen=True, slots=True)
class Work:
    """What ran beside the last crawl, or let reward flow since."""

    name: str  # as in settings and metrics: distribute, push, order, prune …
    what: str  # the same for people
    begun_at: datetime  # of its last run
    seconds: float  # that it took
    runs: int | None  # in that crawl; None: it ran without one
    total_s: float | None
    share: float | None  # of the crawl's wall time


def tell(ran: Mapping[str, Ran], total_s: Mapping[str, float], wall_s: float) -> str:
    """Return as JSON what `last_works` reads."""
    rows = [
        {
            "name": name,
            "begunAt": run.begun_at.isoformat(),
            "seconds": round(run.seconds, 4),
            "runs": run.runs,
            "totalS": round(total_s.get(name, 0.0), 4),
            "share": round(total_s.get(name, 0.0) / wall_s, 5) if wall_s > 0 else 0.0,
        }
        for name, run in sorted(ran.items())
        if name in WHAT
    ]
    return json.dumps(rows, separators=(",", ":"))


async def last_works(graph: Graph) -> tuple[Work, ...]:
    """Return what ran last, the latest first."""
    row = (await graph.run("look/works"))[0]
    found = {
        one["name"]: Work(
            one["name"],
            WHAT[one["name"]],
            datetime.fromisoformat(one["begunAt"]),
            one["seconds"],
            one["runs"],
            one["totalS"],
            one["share"],
        )
        for one in json.loads(row["works"] or "[]")
    }
    for name, at, seconds in (
        ("distribute", row["distributedAt"], row["distributionS"]),
        ("push", row["pushedAt"], row["pushS"]),
    ):
        ended = _native(at)
        known = found.get(name)
        if ended and seconds and (known is None or (ended - known.begun_at).total_seconds() > 60):
            begun = datetime.fromtimestamp(ended.timestamp() - seconds, UTC)
            found[name] = Work(name, WHAT[name], begun, seconds, None, None, None)
    return tuple(sorted(found.values(), key=lambda work: work.begun_at, reverse=True))


def stale_s(
    works: Sequence[Work], order: str, finished_at: datetime | None, now: datetime | None = None
) -> float | None:
    """Return since when changes are in no priority: since the last work that sets them began.

    With an order of its own that holds for the heads of the best hosts; a page deep in the queue of
    its host keeps the score that it was given last. After a crawl nothing changes any more.

    Args:
        works: What ran.
        order: That pages wait by.
        finished_at: When the last crawl ended; None: it runs.
        now: For tests.
    """
    setters = _BY_REWARD if order == "reward" else _BY_SCORE
    begun = [work.begun_at for work in works if work.name in setters]
    until = finished_at or now or datetime.now(UTC)
    return max((until - max(begun)).total_seconds(), 0.0) if begun else None


def _native(at: Any) -> datetime | None:
    found: datetime | None = at.to_native() if hasattr(at, "to_native") else at
    return found
