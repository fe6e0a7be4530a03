"""The next pages of a crawl, before anything is fetched: when, and what they may be worth.

Nothing is written and nobody asked. It supposes that pages take as long as their hosts took so
far, that nothing new is found meanwhile, and that nobody else crawls the graph.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from statistics import median

from graphcrawl import strangers
from graphcrawl.config import Settings
from graphcrawl.crawl.lanes import SLOWEST_PACE_S
from graphcrawl.crawl.run import plan_of
from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph, Row
from graphcrawl.judging import judging_in, worths
from graphcrawl.look import snake
from graphcrawl.timetable import Queue, Timetable, timetable

MAX_PAGES = 10_000  # that can be foreseen: beyond, what is found meanwhile decides
FIRST_PAGES = 16  # of a host that are read; four times as many where those are not enough
USUAL_LATENCY_S = 0.5  # of hosts, while none has answered
HOST_TRUST = 4.0  # pages of a host's record that weigh as much as that of all hosts
LONGEST_CRAWL_DELAY_S = 30.0

Judge = Callable[[Sequence[Row]], Sequence[float]]
"""Foretells worths, 0 to 1, of waiting pages given as rows with host and facts."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A page that will be fetched."""

    number: int  # 1: the next one
    start_s: float  # seconds from the start of the crawl
    url: str
    host: str
    depth: int | None
    priority: float
    worth: float  # that is expected of it, 0 to 1


@dataclass(frozen=True, slots=True)
class Foresight:
    """The next pages."""

    order: str  # what the frontier is ordered by
    reward_mode: str  # how reward flows: neural or steady
    pages: tuple[Planned, ...]
    hosts: int  # that are asked
    duration_s: float  # until the last of them has answered
    worth: float  # expected of them all together
    worth_by: str  # what foretells it
    is_all: bool  # nothing else waits that could be fetched
    running: bool  # a crawl goes on, or was killed: its pages are not in here


async def foresee(
    graph: Graph,
    settings: Settings,
    pages: int,
    *,
    now: datetime | None = None,
) -> Foresight:
    """Say which pages a crawl with these settings would fetch next, and when.

    Args:
        graph: An open graph.
        settings: Its paces and limits.
        pages: How many, at most 10,000.
        now: For tests; the server's time otherwise.

    Raises:
        UsageError: Too many pages, or none.
    """
    if not 1 <= pages <= MAX_PAGES:
        raise UsageError(
            f"Cannot foresee {pages:,} pages.", f"Give 1 to {MAX_PAGES:,} with --pages."
        )
    now_ms = (await graph.run("look/server"))[0]["nowMs"] if now is None else _ms(now)
    per_host = min(FIRST_PAGES, pages)
    while True:
        rows = await graph.run("explain/heads", hosts=2 * pages, perHost=per_host)
        table = timetable(
            queues_of(snake(rows), settings, now_ms),
            pages,
            concurrency=settings.crawl.concurrency,
            max_rate=settings.crawl.max_rate,
        )
        unread = [row["host"] for row in rows if row["more"] and row["host"] in table.empty]
        if not unread or per_host >= pages:
            break
        per_host = min(4 * per_host, pages)
    about = (await graph.run("explain/about"))[0]
    counts = await strangers.counts(graph)
    judge, worth_by = await _judge(graph, settings)
    planned = _planned(table, {row["host"]: row["pages"] for row in rows}, judge)
    return Foresight(
        order=about["order"],
        reward_mode=about["rewardMode"],
        pages=planned,
        hosts=len({page.host for page in planned}),
        duration_s=max((slot.end_s for slot in table.slots), default=0.0),
        worth=sum(page.worth for page in planned),
        worth_by=worth_by,
        is_all=len(planned) < pages,
        running=counts["leased"] > 0,
    )


async def _judge(graph: Graph, settings: Settings) -> tuple[Judge, str]:
    """Return what foretells worths: what the blend has learned here, else the record of hosts."""
    judging = await judging_in(graph, settings)
    if judging.composite.observations >= max(settings.quality.min_observations, 1):
        lessons = f"{judging.composite.observations:,} pages"
        return partial(worths, judging), f"what {lessons} taught the order composite"
    return by_host(await graph.run("explain/worths")), "the record of their hosts"


def queues_of(rows: Sequence[Row], settings: Settings, now_ms: int) -> list[Queue]:
    """Turn what the graph knows of hosts into queues.

    A host rests as long as the settings say, or its robots.txt, or a multiple of the time that it
    took to answer, whichever is longest: see `crawl.lanes`.

    Args:
        rows: As `explain/heads` returns them, in snake case.
        settings: Paces and limits.
        now_ms: Milliseconds since 1970.
    """
    plan = plan_of(settings)
    known = [row["latency_s"] for row in rows if row["latency_s"]]
    usual_s = median(known) if known else USUAL_LATENCY_S
    queues = []
    for row in rows:
        pace = plan.pace(row["host"])
        latency_s = row["latency_s"] or usual_s
        own_s = max(pace.delay_s, min(row["crawl_delay_s"] or 0.0, LONGEST_CRAWL_DELAY_S))
        slow_s = min(plan.slow_factor * (row["latency_s"] or 0.0), SLOWEST_PACE_S)
        due = [at for at in (row["due_at"], row["parked_until"]) if at is not None]
        queues.append(
            Queue(
                row["host"],
                [page["priority"] for page in row["pages"]],
                due_s=max([0.0, *((_ms(at) - now_ms) / 1000 for at in due)]),
                pace_s=max(own_s, slow_s) if own_s else 0.0,
                latency_s=latency_s,
                per_host=pace.per_host,
                room=max(pace.max_pages - row["requests"], 0) if pace.max_pages else None,
            )
        )
    return queues


def by_host(records: Sequence[Row]) -> Judge:
    """Return a judge that goes by what the fetched pages of the same host were worth.

    The mean of the host is drawn to that of all hosts as if 4 pages had been like those. A page
    whose links look like links to a job feed is worth at least as much as they look so.
    """
    pages = sum(row["pages"] for row in records)
    mean = sum(row["worth"] for row in records) / pages if pages else 0.0
    means: Mapping[str, float] = {
        row["host"]: (row["worth"] + HOST_TRUST * mean) / (row["pages"] + HOST_TRUST)
        for row in records
    }

    def judge(rows: Sequence[Row]) -> list[float]:
        return [max(means.get(row["host"], mean), row.get("feedHint") or 0.0) for row in rows]

    return judge


def _planned(table: Timetable, pages: Mapping[str, list[Row]], judge: Judge) -> tuple[Planned, ...]:
    chosen = [pages[slot.host][slot.place] | {"host": slot.host} for slot in table.slots]
    worths = judge(chosen)
    return tuple(
        Planned(
            number, slot.start_s, page["url"], slot.host, page["depth"], page["priority"], worth
        )
        for number, (slot, page, worth) in enumerate(
            zip(table.slots, chosen, worths, strict=True), start=1
        )
    )


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
