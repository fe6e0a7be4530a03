"""Runs work on the graph beside a crawl, as often as its share of the time pays for."""

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime

from graphcrawl.crawl.plan import Beside
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import Neo4jUnreachableError
from graphcrawl.works import Ran

BESIDE_SHARE = 0.10  # of wall time: the most that work without a share of its own may take
BESIDE_SLACK = 1.5  # the next run may take so many times as long as the last one
IDLE_S = 0.1
_SHORTEST_S = 0.02


async def run_beside(job: Beside, stats: Stats, ended: asyncio.Event) -> None:
    """Run a job again and again, until the crawl has ended.

    Args:
        job: What to run.
        stats: Of the crawl; the job's seconds and its last report are kept there.
        ended: Set when the crawl has ended.
    """
    was_cut = False
    seen, expected_s, pause_s = _pages(job, stats), job.expected_s, job.every_s
    idle_s = min(IDLE_S, max(job.every_s, _SHORTEST_S))
    share = job.share or BESIDE_SHARE
    while not await _ended_within(ended, pause_s):
        spent_s = stats.beside_s.get(job.name, 0.0) if job.share else stats.shared_s
        pause_s = max((spent_s + BESIDE_SLACK * expected_s) / share - stats.seconds, 0.0)
        is_in_charge = job.in_charge()
        if not is_in_charge:  # whoever takes over goes on from here
            seen = _pages(job, stats)
        if pause_s > 0 or _pages(job, stats) < seen + job.every_pages or not is_in_charge:
            pause_s = max(pause_s, idle_s)
            continue
        seen, begun, begun_at = _pages(job, stats), time.monotonic(), datetime.now(UTC)
        try:
            stats.beside[job.name] = await job.work()
            was_cut = False
        except Neo4jUnreachableError:  # cut in two: the next run finds what is left to do
            if was_cut:
                raise
            was_cut = True
        finally:
            expected_s = time.monotonic() - begun
            stats.beside_s[job.name] = stats.beside_s.get(job.name, 0.0) + expected_s
            stats.shared_s += 0.0 if job.share else expected_s
            runs = stats.works[job.name].runs + 1 if job.name in stats.works else 1
            stats.works[job.name] = Ran(begun_at, expected_s, runs)
        pause_s = job.every_s


def _pages(job: Beside, stats: Stats) -> int:
    return stats.pages + (stats.pages_of_others if job.of_all else 0)


async def _ended_within(ended: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await ended.wait()
    return ended.is_set()
