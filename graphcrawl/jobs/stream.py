"""A job feed in a file → batches of postings, for readings that no memory should hold."""

from collections.abc import Iterator
from pathlib import Path

from graphcrawl.jobs.records import Feed, open_feed
from graphcrawl.models import Fetched, Posting, Reading

BATCH_POSTINGS = 500
BATCH_CHARS = 4 * 2**20  # a batch of fewer, longer postings


class FeedStream:
    """The postings of a spooled feed, a batch at a time."""

    def __init__(self, fetched: Fetched) -> None:
        """Open the feed.

        Args:
            fetched: With `spooled`; the file is left where it is.
        """
        self._fetched = fetched
        self._source = Path(fetched.spooled).open("rb")  # noqa: SIM115 - closed at its end
        self._feed = open_feed(
            self._source, url=fetched.url, charset=fetched.charset, now=fetched.fetched_at
        )

    def batch(self) -> tuple[Posting, ...]:
        """Return the next postings; none at the end, and then `reading` is right."""
        taken = tuple(_some(self._feed.postings))
        if not taken:
            self._source.close()
        return taken

    def reading(self) -> Reading:
        """Return what was met so far."""
        return reading_of(self._feed, self._fetched)


def reading_of(feed: Feed, fetched: Fetched) -> Reading:
    """Return what the reading of a feed met, once its postings were taken.

    Args:
        feed: As it was read.
        fetched: What it was read from.
    """
    return Reading(
        of_feed=True,
        whole=feed.whole and not fetched.truncated,
        records=feed.cuts.records,
        cut=feed.cuts.lost,
        repaired=feed.repaired,
        ended=fetched.ended,
        unread_bytes=fetched.unread_bytes,
    )


def _some(postings: Iterator[Posting]) -> Iterator[Posting]:
    chars = 0
    for number, posting in enumerate(postings, start=1):
        yield posting
        chars += len(posting.description)
        if number == BATCH_POSTINGS or chars >= BATCH_CHARS:
            return
