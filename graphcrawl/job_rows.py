"""Readings of feeds and pages → `(:Job)` nodes, one for each job over all of them.

A batch is one transaction behind a gate: look for the rows that may be meant, decide
(`jobs.changes`), write. So two workers make no double row, batches become visible in the order of
their numbers, and nothing but a batch is in memory. All is idempotent: after a crash the source is
read again, and each job is there once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from graphcrawl.forgotten import keys_of_urls, leads_there
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.jobs.changes import Changes, JobsReport, Source, decide, posting_of
from graphcrawl.jobs.identity import Said, said_of
from graphcrawl.jobs.resolve import Listing, Rows
from graphcrawl.jobs.resolve import Row as JobRow
from graphcrawl.models import Fetched, NotFetched, Outcome, Posting, Reading, Redirected
from graphcrawl.revisit import FASTER, PAGE_LONGEST_S, PAGE_SHORTEST_S, SLOWER
from graphcrawl.urls import neuron_id

__all__ = ["JOBS_AT_ONCE", "JobsReport", "write_jobs", "write_reading"]

JOBS_AT_ONCE = 500
_GONE_AT_ONCE = 5_000
_NO_PAGE = (404, 410)

# By the URL that was read.
_Groups = dict[str, tuple[Source, list[tuple[Said, Posting]]]]


async def write_jobs(graph: Graph, outcomes: Sequence[Outcome]) -> JobsReport:
    """Write the jobs that fetched pages list, and mark those they list no more.

    A cut or failed reading adds and changes jobs, but marks none gone. A page with jobs that is
    not there any more, or leads elsewhere, lists none.
    """
    reads = _reads(outcomes)
    if not reads:
        return JobsReport()
    sources = await _sources(graph, [(o, reading) for o, reading, _ in reads])
    told: dict[str, JobsReport] = {}
    chunk: list[tuple[Source, Posting]] = []
    for source, (_, _, postings) in zip(sources, reads, strict=True):
        if source is None:
            continue
        told[source.url] = JobsReport()
        if source.is_late:
            told[source.url] = JobsReport(listed=len(postings))
            continue
        for posting in postings:
            chunk.append((source, posting))
            if len(chunk) == JOBS_AT_ONCE:
                _add(told, await _write(graph, chunk))
                chunk = []
    _add(told, await _write(graph, chunk))
    await _finish(graph, [source for source in sources if source], told)
    return sum(told.values(), JobsReport())


async def write_reading(
    graph: Graph,
    lister_url: str,
    batches: Iterable[Sequence[Posting]],
    reading: Reading,
    at: datetime,
    *,
    digest: str = "",
    on_batch: Callable[[JobsReport], None] = lambda report: None,
) -> JobsReport:
    """Write one reading of a feed or page, a transaction a batch, then mark what is gone.

    Nothing but a batch is held in memory. It may end between two batches, by an exception of
    `batches` or `on_batch`, at any time: what was written stays, nothing is marked gone, and doing
    it again changes nothing twice.

    Args:
        graph: An open graph.
        lister_url: URL of the page that was read; its neuron is there.
        batches: All postings in their order; `JOBS_AT_ONCE` go into a transaction at most.
        reading: What the reader met; only a whole one marks jobs gone.
        at: When it was fetched. Of two readings the later one counts.
        digest: Of the content of a job feed that is not recorded yet: a known feed of the same
            content stands for it.
        on_batch: Told after each transaction what was written so far.
    """
    source = await source_of(graph, lister_url, reading, at, digest=digest)
    report = JobsReport()
    if source is None:
        return report
    for chunk in _split(batches):
        report += await write_batch(graph, source, chunk)
        on_batch(report)
    return await finish_reading(graph, source, report)


async def source_of(
    graph: Graph, url: str, reading: Reading, at: datetime, *, digest: str = ""
) -> Source | None:
    """Return what a page that was read is to the graph; None where it is not there any more."""
    found = await graph.run("jobs/sources", pages=[{"url": url, "digest": digest}])
    return await _source(graph, found[0], reading, at) if found else None


async def write_batch(graph: Graph, source: Source, postings: Sequence[Posting]) -> JobsReport:
    """Write postings of one reading in one transaction: at most `JOBS_AT_ONCE`."""
    if source.is_late:
        return JobsReport(listed=len(postings))
    told = await _write(graph, [(source, posting) for posting in postings])
    return told.get(source.url, JobsReport())


async def finish_reading(graph: Graph, source: Source, report: JobsReport) -> JobsReport:
    """Mark what a whole reading no longer lists, and note what was found.

    Args:
        graph: An open graph.
        source: With the reading as it came out.
        report: What all batches of it changed.
    """
    finished = {source.url: report}
    await _finish(graph, [source], finished)
    return finished[source.url]


def _split(batches: Iterable[Sequence[Posting]]) -> Iterator[list[Posting]]:
    postings = (posting for batch in batches for posting in batch)
    while chunk := list(islice(postings, JOBS_AT_ONCE)):
        yield chunk


def _reads(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, Reading, Sequence[Posting]]]:
    """Return the readings that have something to say, of each feed's content one."""
    found: dict[str, tuple[Outcome, Reading, Sequence[Posting]]] = {}
    for outcome in outcomes:
        url, page, fetch = outcome.claim.url, outcome.page, outcome.fetch
        if isinstance(fetch, Fetched) and page is not None and page.reading is not None:
            if (page.postings or outcome.claim.tries) and not page.reading.apart:
                same = page.digest if page.feed and page.digest else url
                found.setdefault(same, (outcome, page.reading, page.postings))
        elif outcome.claim.tries and (
            isinstance(fetch, Redirected)
            or (isinstance(fetch, NotFetched) and fetch.status in _NO_PAGE)
        ):
            found[url] = (outcome, Reading(), ())
    return list(found.values())


async def _sources(graph: Graph, reads: Sequence[tuple[Outcome, Reading]]) -> list[Source | None]:
    pages = [
        {"url": o.claim.url, "digest": o.page.digest if o.page and o.page.feed else ""}
        for o, _ in reads
    ]
    found = {row["url"]: row for row in await graph.run("jobs/sources", pages=pages)}
    return [
        await _source(graph, row, reading, o.fetch.fetched_at)
        if (row := found.get(o.claim.url))
        else None
        for o, reading in reads
    ]


async def _source(graph: Graph, row: Row, reading: Reading, at: datetime) -> Source:
    if row["old"]:
        await _renew_listings(graph, row["lister"])
    aliases = tuple(row["aliases"])
    return Source(row["url"], row["lister"], at, reading, row["readJobs"], row["readMs"], aliases)


async def _write(graph: Graph, chunk: Sequence[tuple[Source, Posting]]) -> dict[str, JobsReport]:
    """Write a chunk in one transaction; return what came of it by the URL that was read."""
    if not chunk:
        return {}
    groups: _Groups = {}
    for source, posting in chunk:
        aliases = source.aliases if posting.url == source.url else ()
        said = said_of(source.lister, posting, aliases)
        groups.setdefault(source.url, (source, []))[1].append((said, posting))

    async def work(tx: Transaction) -> dict[str, JobsReport]:
        gate = (await tx.run("jobs/gate"))[0]
        kept = await _without_forgotten(tx, groups) if gate["forgets"] else groups
        rows = await _candidates(tx, [said for _, pairs in kept.values() for said, _ in pairs])
        changes = Changes()
        told = {}
        for url, (source, pairs) in kept.items():
            left_out = JobsReport(listed=len(groups[url][1]) - len(pairs))
            told[url] = decide(source, pairs, rows, changes) + left_out
        if changes.seen:
            await tx.run("jobs/seen", jobs=changes.seen)
        if changes.full:
            await tx.run("jobs/write", jobs=changes.full, batch=gate["batch"])
        return told

    return await graph.transact(work)


async def _without_forgotten(tx: Transaction, groups: _Groups) -> _Groups:
    """Return the postings that lead to nothing that was forgotten on request."""
    urls = {posting.url for _, pairs in groups.values() for _, posting in pairs}
    found = await tx.run("write/forgotten", keys=list(keys_of_urls(urls)))
    keys = {row["key"] for row in found}
    return {
        url: (source, [(said, p) for said, p in pairs if not leads_there(p.url, keys)])
        for url, (source, pairs) in groups.items()
    }


async def _candidates(tx: Transaction, said: Sequence[Said]) -> Rows:
    rows = Rows()
    found = await tx.run(
        "jobs/candidates",
        keys=sorted({one.key for one in said if one.key}),
        urls=sorted({url for one in said for url in (one.url, *one.aliases) if url}),
        same=sorted({one.same for one in said}),
    )
    for row in found:
        listings = {
            source: Listing(Said(key or 0, url or 0, name, text or 0, digest), *times)
            for source, key, url, name, text, digest, *times in row["listings"]
        }
        rows.add(
            JobRow(row["job"], listings, row["goneMs"], row["wordedBy"], frozenset(row["known"]))
        )
    return rows


def _add(told: dict[str, JobsReport], more: dict[str, JobsReport]) -> None:
    for url, report in more.items():
        told[url] += report


async def _finish(graph: Graph, sources: Sequence[Source], told: dict[str, JobsReport]) -> None:
    """Mark what whole readings no longer list, and note on each source what was found."""
    sources = [source for source in sources if not source.is_late]
    whole = [source for source in sources if source.is_whole(told[source.url].listed)]
    by_lister = {source.lister: source.url for source in whole}
    for lister, gone in (await _drop(graph, whole)).items():
        told[by_lister[lister]] += JobsReport(gone=gone)
    notes = [_note(source, told[source.url], source in whole) for source in sources]
    if notes:
        await graph.run(
            "jobs/readings",
            readings=notes,
            pageShortestS=PAGE_SHORTEST_S,
            pageLongestS=PAGE_LONGEST_S,
            faster=FASTER,
            slower=SLOWER,
        )


async def _drop(graph: Graph, whole: Sequence[Source]) -> dict[str, int]:
    gone: dict[str, int] = {}
    readings = [
        {"lister": source.lister, "at": source.at, "feed": source.reading.of_feed}
        for source in whole
    ]

    async def work(tx: Transaction) -> list[Row]:
        await tx.run("jobs/gate")
        return await tx.run("jobs/gone", readings=readings, limit=_GONE_AT_ONCE)

    more = bool(readings)
    while more:
        rows = await graph.transact(work)
        for row in rows:
            gone[row["lister"]] = gone.get(row["lister"], 0) + row["gone"]
        more = sum(row["dropped"] for row in rows) == _GONE_AT_ONCE
    return gone


def _note(source: Source, report: JobsReport, is_whole: bool) -> Row:
    reading = source.reading
    is_sudden = reading.of_feed and reading.whole and not is_whole and not report.listed
    return {
        "lister": source.lister,
        "feed": reading.of_feed,
        "live": report.listed > 0 or not is_whole,
        "properties": {
            "readAt": source.at,
            "readWhole": is_whole,
            "readJobs": report.listed,
            "readNew": report.new,
            "readChanged": report.changed,
            "readGone": report.gone,
            "readCut": reading.cut,
            "readRepaired": reading.repaired,
            "readEnded": reading.ended or ("empty" if is_sudden else None),
            "readUnreadBytes": reading.unread_bytes,
            "readRepeated": report.repeated,
            "readClashes": report.clashes,
            "readUntitled": report.untitled,
        },
    }


async def _renew_listings(graph: Graph, lister: str) -> None:
    """Give a source's listings what they lack since they were written by an older version."""
    while rows := await graph.run("jobs/old_listings", lister=lister, limit=JOBS_AT_ONCE):
        listings = [
            {
                "job": row["job"],
                "listing": said_of(lister, posting_of(row["properties"])).properties,
            }
            for row in rows
        ]
        await graph.run(
            "jobs/renew_listings", lister=lister, words=neuron_id(lister), listings=listings
        )
    await graph.run("jobs/renewed", lister=lister)
