"""What a fetched page says about jobs: a feed's records, or postings stated in HTML."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from graphcrawl.jobs.recognise import has_records, recognise_tree
from graphcrawl.jobs.records import open_feed
from graphcrawl.jobs.structured import read_structured
from graphcrawl.models import Fetched, JobFeed, Posting, Reading
from graphcrawl.parse import Document
from graphcrawl.parse.xml import local_name

MAX_POSTINGS = 100_000  # of one reading: they are held in memory until they are recorded
MAX_READ_S = 20.0  # for one feed: a reader that takes longer than 30 s is taken for hung

# Roots of job feeds: one of these without any record says that there are no jobs now.
_ROOTS = frozenset(
    "source jobs joblist positions workzag-jobs vacancies stellen rss rdf feed jobpositionpostings "
    "postings".split()
)


@dataclass(frozen=True, slots=True)
class Jobs:
    """What a page says about jobs."""

    feed: JobFeed | None = None
    postings: tuple[Posting, ...] = ()
    reading: Reading | None = None  # None: nothing that could tell of jobs, or of their absence
    types: tuple[str, ...] = ()


def read_jobs(document: Document, fetched: Fetched) -> Jobs:
    """Return the jobs of a page, feed or not."""
    if document.kind == "html":
        types, stated = read_structured(document.markup, fetched.url, fetched.fetched_at)
        return Jobs(None, stated, Reading(records=len(stated)), types)
    feed = recognise_tree(document.tree)
    if feed is not None and document.tree is not None:
        return _read_feed(feed, document.tree, fetched)
    if document.tree is not None and _is_empty(document.tree) and not fetched.truncated:
        return Jobs(reading=Reading(of_feed=True))
    return Jobs()


def _read_feed(feed: JobFeed, root: etree._Element, fetched: Fetched) -> Jobs:
    opened = open_feed(
        fetched.body, url=fetched.url, charset=fetched.charset, now=fetched.fetched_at, root=root
    )
    postings, over = _take(opened.postings)
    reading = Reading(
        of_feed=True,
        whole=opened.whole and not over and not fetched.truncated,
        records=opened.cuts.records,
        cut=opened.cuts.lost + over,
        repaired=opened.repaired,
    )
    found = replace(feed, jobs=max(feed.jobs, len(postings)))
    return Jobs(found, postings, reading)


def _take(all_postings: Iterator[Posting]) -> tuple[tuple[Posting, ...], bool]:
    """Return what can be read within the limits of rows and time, and whether there is more."""
    until = time.monotonic() + MAX_READ_S
    taken: list[Posting] = []
    for posting in all_postings:
        if len(taken) == MAX_POSTINGS or time.monotonic() > until:
            return tuple(taken), True
        taken.append(posting)
    return tuple(taken), False


def _is_empty(root: etree._Element) -> bool:
    return local_name(root) in _ROOTS and not has_records(root)
