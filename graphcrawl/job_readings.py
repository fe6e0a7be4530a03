"""One reading of a job feed of any size → job rows, written beside the crawl, a batch at a time.

The feed's page is recorded before. While its jobs are written, `readingUntil` on it lies ahead; a
reading that is broken off, also by a crash, leaves it in the past, and the feed is due at once.
Such a reading is not whole: what it wrote stays, and nothing is marked gone.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphcrawl.errors import Neo4jAuthError, Neo4jError, Neo4jPanicError, Neo4jUnreachableError
from graphcrawl.graph import Graph
from graphcrawl.job_rows import JobsReport, finish_reading, source_of, write_batch
from graphcrawl.jobs.changes import Source
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
    source = await source_of(
        graph, listing.url, Reading(of_feed=True), listing.at, digest=listing.digest
    )
    if source is None:
        return JobsReport(), reading()
    report, refused, stopped = JobsReport(), 0, False
    async for batch in batches:
        done, lost = await _write(graph, source, batch)
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
    return await finish_reading(graph, replace(source, reading=found), report), found


async def _write(graph: Graph, source: Source, batch: Sequence[Posting]) -> tuple[JobsReport, int]:
    """Write a batch; return what changed, and how many postings Neo4j would not take."""
    try:
        return await write_batch(graph, source, batch), 0
    except (Neo4jUnreachableError, Neo4jAuthError, Neo4jPanicError):
        raise
    except Neo4jError:  # for good: find the guilty one and let the others through
        if len(batch) == 1:
            return JobsReport(), 1
    middle = len(batch) // 2
    first, lost = await _write(graph, source, batch[:middle])
    second, lost_too = await _write(graph, source, batch[middle:])
    return first + second, lost + lost_too
