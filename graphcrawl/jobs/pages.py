"""What a fetched page says about jobs: a feed's records, or postings stated in HTML."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from graphcrawl.jobs.recognise import has_records, recognise_tree
from graphcrawl.jobs.records import open_feed
from graphcrawl.jobs.stream import reading_of
from graphcrawl.jobs.structured import read_structured
from graphcrawl.models import Fetched, JobFeed, Posting, Reading
from graphcrawl.parse import Document
from graphcrawl.parse.xml import local_name

MAX_READ_S = 20.0  # for a feed in memory: a reader that takes longer than 30 s is taken for hung

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
    """Return the jobs of a page, feed or not.

    Of a feed in a file only what it is; its postings are taken by `stream.FeedStream`.
    """
    if document.kind == "html":
        types, stated = read_structured(document.markup, fetched.url, fetched.fetched_at)
        return Jobs(None, stated, Reading(records=len(stated)), types)
    feed = recognise_tree(document.tree)
    if fetched.spooled:
        return Jobs(feed)
    if feed is not None and document.tree is not None:
        return _read_feed(feed, document.tree, fetched)
    if document.tree is not None and _is_empty(document.tree) and not fetched.truncated:
        return Jobs(reading=Reading(of_feed=True))
    return Jobs()


def _read_feed(feed: JobFeed, root: etree._Element, fetched: Fetched) -> Jobs:
    opened = open_feed(
        fetched.body, url=fetched.url, charset=fetched.charset, now=fetched.fetched_at, root=root
    )
    postings, is_over = _take(opened.postings)
    reading = reading_of(opened, fetched)
    if is_over:
        reading = replace(reading, whole=False, ended="time")
    found = replace(feed, jobs=max(feed.jobs, len(postings)))
    return Jobs(found, postings, reading)


def _take(all_postings: Iterator[Posting]) -> tuple[tuple[Posting, ...], bool]:
    """Return what can be read within the limit of time, and whether there is more."""
    until = time.monotonic() + MAX_READ_S
    taken: list[Posting] = []
    for posting in all_postings:
        if time.monotonic() > until:
            return tuple(taken), True
        taken.append(posting)
    return tuple(taken), False


def _is_empty(root: etree._Element) -> bool:
    return local_name(root) in _ROOTS and not has_records(root)
