"""One reading of a job feed of any size → job rows, written beside the crawl, a batch at a time.

The feed's page is recorded before. While its jobs are written, `readingUntil` on it lies ahead; a
reading that is broken off, also by a crash, leaves it in the past, and the feed is due at once.
Such a reading is not whole: what it wrote stays, and nothing is marked gone.

A feed without any record, where it had some before, is believed at the second such reading in a
row: exports that fail are empty, too, and most are mended by the next reading.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphcrawl.errors import Neo4jAuthError, Neo4jError, Neo4jPanicError, Neo4jUnreachableError
from graphcrawl.graph import Graph
from graphcrawl.job_rows import JobsReport, write_reading
from graphcrawl.models import Posting, Reading

READING_LEASE_S = 60.0


@dataclass(frozen=True, slots=True)
class Listing:
    """A feed that was read, and whose jobs are to be written."""

    url: str  # of the page that was read
    digest: str  # of its content
    at: datetime  # when it was fetched


async def hold(graph: Graph, urls: Sequence[str], *, now_ms: int | None = None) -> None:
    """Say that the jobs of these feeds are being written, for the next minute."""
    seconds = READING_LEASE_S
    await graph.run("jobs/reading_until", urls=list(urls), seconds=seconds, nowMs=now_ms)


async def let_go(graph: Graph, url: str, *, is_done: bool, now_ms: int | None = None) -> None:
    """Say that nobody writes the jobs of this feed any more; unless that is done, it is due."""
    seconds = None if is_done else 0.0
    await graph.run("jobs/reading_until", urls=[url], seconds=seconds, nowMs=now_ms)


async def write_listing(
    graph: Graph,
    listing: Listing,
    batches: AsyncIterator[Sequence[Posting]],
    reading: Callable[[], Reading],
    *,
    on_batch: Callable[[JobsReport], None] = lambda report: None,
    is_stopping: Callable[[], bool] = lambda: False,
) -> tuple[JobsReport, Reading]:
    """Write all jobs of a feed, then note how the reading went. `hold` and `let_go` go around it.

    Args:
        graph: An open graph.
        listing: The feed; its page is there.
        batches: Its postings.
        reading: Asked after the last batch: what was met.
        on_batch: Told after each batch what was written so far.
        is_stopping: Asked after each batch whether to break off.

    Returns:
        What changed, and what the reading was worth.

    Raises:
        Neo4jError: The server is gone.
    """
    rows = await graph.run("jobs/listers", feeds=[{"url": listing.url, "digest": listing.digest}])
    lister = rows[0]["lister"] if rows else listing.url
    report, refused, stopped = JobsReport(), 0, False
    async for batch in batches:
        done, lost = await _write(graph, lister, batch, listing.at)
        report, refused = report + done, refused + lost
        on_batch(report)
        if is_stopping():
            stopped = True
            break
    found = reading()
    if stopped:
        found = replace(found, whole=False, ended="stopped")
    if refused:
        ended = found.ended or "refused"
        found = replace(found, whole=False, cut=found.cut + refused, ended=ended)
    if found.whole and lister == listing.url:
        if not report.listed and await _is_doubtful(graph, lister):
            found = replace(found, whole=False, ended="empty")
        else:
            report += await write_reading(graph, lister, (), found, listing.at)
    note = {"lister": lister, "properties": _note(listing, report, found)}
    await graph.run("jobs/readings", readings=[note])
    return report, found


async def _write(
    graph: Graph, lister: str, batch: Sequence[Posting], at: datetime
) -> tuple[JobsReport, int]:
    """Write a batch; return what changed, and how many postings Neo4j would not take."""
    part = Reading(whole=False, of_feed=True)
    try:
        return await write_reading(graph, lister, [batch], part, at), 0
    except (Neo4jUnreachableError, Neo4jAuthError, Neo4jPanicError):
        raise
    except Neo4jError:  # for good: find the guilty one and let the others through
        if len(batch) == 1:
            return JobsReport(), 1
    middle = len(batch) // 2
    first, lost = await _write(graph, lister, batch[:middle], at)
    second, lost_too = await _write(graph, lister, batch[middle:], at)
    return first + second, lost + lost_too


async def _is_doubtful(graph: Graph, lister: str) -> bool:
    """Tell whether a feed is empty for the first time while it lists jobs."""
    rows = await graph.run("jobs/last_reading", url=lister)
    return bool(rows) and rows[0]["lists"] and not rows[0]["wasEmpty"]


def _note(listing: Listing, report: JobsReport, reading: Reading) -> dict[str, object]:
    return {
        "readAt": listing.at,
        "readWhole": reading.whole,
        "readJobs": report.listed,
        "readNew": report.new,
        "readChanged": report.changed,
        "readGone": report.gone,
        "readCut": reading.cut,
        "readRepaired": reading.repaired,
        "readEnded": reading.ended or None,
        "readUnreadBytes": reading.unread_bytes,
    } | ({"feedJobs": max(report.listed, reading.records)} if report.listed else {})
