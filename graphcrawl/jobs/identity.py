"""Which job is which: what stays the same from one reading to the next.

A job is known by the first of these that no other job of the same source shares: its own id, its
URL, the normal form of title, company, place and URL. So a new title is a change and no new job,
and a source that gives one id to several jobs loses none of them.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphcrawl.models import Posting


def identify(postings: Sequence[Posting]) -> tuple[list[Posting], int, int]:
    """Give each posting of one reading its identity; of one that is repeated the first stays.

    Returns:
        The postings, how many repeated another, and how many ids several jobs share.
    """
    shared_ids = _shared((p.own_id, _what(p)) for p in postings)
    shared_urls = _shared((p.url, _what(p)) for p in postings)
    kept: dict[str, Posting] = {}
    for posting in postings:
        if posting.own_id and posting.own_id not in shared_ids:
            identity = f"id {posting.own_id}"
        elif posting.url and posting.url not in shared_urls:
            identity = f"url {posting.url}"
        else:
            identity = f"is {_digest(_what(posting), posting.url)}"
        if identity not in kept:
            kept[identity] = replace(posting, identity=identity)
    return list(kept.values()), len(postings) - len(kept), len(shared_ids)


def key_of(source: str, posting: Posting) -> str:
    """Return the stable id of a job.

    Args:
        source: URL of the feed or page that states it.
        posting: With its identity.
    """
    return _digest(source, posting.identity)


def digest_of(posting: Posting) -> str:
    """Return a digest of what a posting says: another one is a change of the job.

    Of the date when it was posted only the day counts, since some feeds write the time of reading.
    """
    return _digest(
        posting.title, posting.company, posting.place_raw, posting.url, posting.description,
        posting.employment, posting.salary, str(posting.posted and posting.posted.date()),
        str(posting.closes and posting.closes.date()),
    )  # fmt: skip


def _shared(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return the names that stand for several things."""
    first: dict[str, str] = {}
    return {name for name, what in pairs if name and first.setdefault(name, what) != what}


def _what(posting: Posting) -> str:
    return _digest(*map(_folded, (posting.title, posting.company, posting.place)))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
