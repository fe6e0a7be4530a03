"""Readings of feeds and pages → `(:Job)` nodes, in transactions of a bounded size.

Jobs are written before the page that lists them is recorded. All is idempotent: after a crash in
between, the page's lease ends, it is read again, and each job is there once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.jobs.identity import digest_of, key_of
from graphcrawl.models import Fetched, Outcome, Page, Posting, Reading

JOBS_AT_ONCE = 500
_GONE_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class JobsReport:
    """What readings changed."""

    listed: int = 0  # jobs in all readings
    new: int = 0
    changed: int = 0
    gone: int = 0

    def __add__(self, other: "JobsReport") -> "JobsReport":
        return JobsReport(
            self.listed + other.listed,
            self.new + other.new,
            self.changed + other.changed,
            self.gone + other.gone,
        )


@dataclass(frozen=True, slots=True)
class _Read:
    """One reading, and the page that its jobs hang on."""

    lister: str
    url: str  # of the page that was read
    page: Page
    at: datetime

    @property
    def is_feed(self) -> bool:
        """Whether it was a job feed, be it an empty one."""
        return self.page.reading is not None and self.page.reading.of_feed

    @property
    def is_whole(self) -> bool:
        """Whether what it does not list is gone; another URL of the same feed only adds."""
        reading = self.page.reading
        return reading is not None and reading.whole and self.lister == self.url


async def write_jobs(graph: Graph, outcomes: Sequence[Outcome]) -> JobsReport:
    """Write the jobs that fetched pages list, and mark those they list no more.

    A cut or failed reading adds and changes jobs, but marks none gone.
    """
    reads = await _reads(graph, outcomes)
    if not reads:
        return JobsReport()
    new: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for chunk in _chunks(reads):
        for row in await graph.transact(lambda tx, chunk=chunk: _write(tx, chunk)):  # type: ignore[misc]
            new[row["lister"]] += row["new"]
            changed[row["lister"]] += row["changed"]
    gone = await _drop(graph, [read for read in reads if read.is_whole])
    notes = [
        {"lister": read.lister, "properties": _note(read, new, changed, gone)}
        for read in reads
        if read.is_feed
    ]
    if notes:
        await graph.run("jobs/readings", readings=notes)
    return JobsReport(
        sum(len(read.page.postings) for read in reads), new.total(), changed.total(), gone.total()
    )


async def write_reading(
    graph: Graph,
    lister_url: str,
    batches: Iterable[Sequence[Posting]],
    reading: Reading,
    at: datetime,
    *,
    on_batch: Callable[[JobsReport], None] = lambda report: None,
) -> JobsReport:
    """Write one reading of a feed or page, a transaction a batch, then mark what is gone.

    Nothing but a batch is held in memory. It may end between two batches, by an exception of
    `batches` or `on_batch`, at any time: what was written stays, nothing is marked gone, and doing
    it again changes nothing twice.

    Args:
        graph: An open graph.
        lister_url: URL of the page that was read; its neuron is there.
        batches: All postings in their order, at best `JOBS_AT_ONCE` at a time.
        reading: What the reader met; only a whole one marks jobs gone.
        at: When it was fetched. Of two readings the later one counts.
        on_batch: Told after each transaction what was written so far.
    """
    report = JobsReport()
    for batch in batches:
        page = Page(postings=tuple(batch), reading=Reading(whole=False, of_feed=reading.of_feed))
        chunk = [(_Read(lister_url, lister_url, page, at), posting) for posting in batch]
        for row in await graph.transact(lambda tx, chunk=chunk: _write(tx, chunk)):  # type: ignore[misc]
            report += JobsReport(new=row["new"], changed=row["changed"])
        report += JobsReport(listed=len(batch))
        on_batch(report)
    read = _Read(lister_url, lister_url, Page(reading=reading), at)
    if read.is_whole:
        report += JobsReport(gone=(await _drop(graph, [read])).total())
    return report


async def _reads(graph: Graph, outcomes: Sequence[Outcome]) -> list[_Read]:
    """Return the readings that have something to say, of each feed's content one."""
    found: dict[str, tuple[Outcome, Page]] = {}
    for outcome in outcomes:
        page = outcome.page
        if (
            not isinstance(outcome.fetch, Fetched)
            or page is None
            or page.reading is None
            or page.reading.apart
        ):
            continue
        if page.postings or outcome.claim.tries:
            same = page.digest if page.feed and page.digest else outcome.claim.url
            found.setdefault(same, (outcome, page))
    feeds = [
        {"url": outcome.claim.url, "digest": page.digest if page.feed else ""}
        for outcome, page in found.values()
        if page.reading and page.reading.of_feed
    ]
    rows = feeds and await graph.run("jobs/listers", feeds=feeds)
    listers = {row["url"]: row["lister"] for row in rows}
    return [
        _Read(listers.get(o.claim.url, o.claim.url), o.claim.url, page, o.fetch.fetched_at)
        for o, page in found.values()
    ]


def _chunks(reads: Sequence[_Read]) -> Iterator[list[tuple[_Read, Posting]]]:
    chunk: list[tuple[_Read, Posting]] = []
    for read in reads:
        for posting in read.page.postings:
            chunk.append((read, posting))
            if len(chunk) == JOBS_AT_ONCE:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


async def _write(tx: Transaction, chunk: Sequence[tuple[_Read, Posting]]) -> list[Row]:
    rows = {}
    for read, posting in chunk:
        key = key_of(read.lister, posting)
        rows[key] = (
            {
                "key": key,
                "lister": read.lister,
                "digest": digest_of(posting),
                "at": read.at,
            },
            (read, posting),
        )
    seen = await tx.run("jobs/seen", jobs=[row for row, _ in rows.values()])
    for row in seen:
        del rows[row["key"]]
    if not rows:
        return []
    full = [
        row | {"properties": _properties(posting, read)}
        for row, (read, posting) in sorted(rows.values(), key=lambda pair: str(pair[0]["key"]))
    ]
    return await tx.run("jobs/write", jobs=full)


def _properties(posting: Posting, read: _Read) -> Row:
    """Return a job's properties; what is not said is null, so that an old value goes."""
    return {
        "title": posting.title or None,
        "company": posting.company or None,
        "place": posting.place or None,
        "city": posting.city or None,
        "region": posting.region or None,
        "country": posting.country or None,
        "posted": posting.posted,
        "closes": posting.closes,
        "url": posting.url or None,
        "description": posting.description or None,
        "employment": posting.employment or None,
        "salary": posting.salary or None,
        "postedRaw": posting.posted_raw or None,
        "placeRaw": posting.place_raw or None,
        "ownId": posting.own_id or None,
        "feed": read.lister if read.is_feed else None,
    }


async def _drop(graph: Graph, whole: Sequence[_Read]) -> Counter[str]:
    gone: Counter[str] = Counter()
    readings = [{"lister": read.lister, "at": read.at, "feed": read.is_feed} for read in whole]
    more = bool(readings)
    while more:
        rows = await graph.run("jobs/gone", readings=readings, limit=_GONE_AT_ONCE)
        for row in rows:
            gone[row["lister"]] += row["gone"]
        more = sum(row["dropped"] for row in rows) == _GONE_AT_ONCE
    return gone


def _note(read: _Read, new: Counter[str], changed: Counter[str], gone: Counter[str]) -> Row:
    reading = read.page.reading
    return {
        "readAt": read.at,
        "readWhole": reading is not None and reading.whole,
        "readJobs": len(read.page.postings),
        "readNew": new[read.lister],
        "readChanged": changed[read.lister],
        "readGone": gone[read.lister],
        "readCut": reading.cut if reading else 0,
        "readRepaired": reading.repaired if reading else 0,
        "readEnded": (reading.ended or None) if reading else None,
        "readUnreadBytes": reading.unread_bytes if reading else None,
    }
