"""What a source says of a job, as numbers that tell it again: in the next reading, or elsewhere.

The texts themselves stay on the `(:Job)`; on each `LISTS` relationship stand these numbers, so that
every source is compared with what *it* said the last time, whoever words the row.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graphcrawl.models import Posting

# Lengths from which an id in a URL, or a description, is no accident.
_LONG_ID = 3
_LONG_TEXT = 80

# What stands where an id should: it names no job.
_NO_ID = re.compile(
    r"[\W_]*(?:[0\W_]*|-1|x+|n\W?a|nil|null|none|nan|undefined|unknown|empty|false|true|test|todo|tbd"
    r"|keine?|aucune?|ninguno|id|job_?id|reference(?:number)?)[\W_]*",
    re.I,
)
_ROOT = re.compile(r"[a-z]+://[^/?#]*/?(?:#.*)?", re.I)


@dataclass(frozen=True, slots=True)
class Said:
    """What one source says of a job. Numbers are hashes in 64 bits; 0: nothing is said."""

    key: int  # its own id, which holds within its source only
    url: int
    name: int  # title, company and place, case and blanks apart
    text: int  # description, likewise
    digest: int  # of all that is compared between readings: another one is a change
    is_anchored: bool = False  # its own id is part of its URL
    is_front: bool = False  # its URL is a site's front page: it tells no job from another
    aliases: frozenset[int] = frozenset()  # URLs that redirect to its own
    is_telling: bool = False  # says enough to be known in another source without URL and id

    @property
    def same(self) -> int:
        """Title, company, place and description in one number."""
        return number_of(str(self.name), str(self.text))

    @property
    def properties(self) -> dict[str, Any]:
        """What the relationship keeps; null where nothing is said."""
        return {
            "key": self.key or None,
            "urlKey": self.url or None,
            "nameKey": self.name,
            "textKey": self.text or None,
            "sameAs": self.same,
            "digest": self.digest,
        }


def said_of(source: str, posting: Posting, aliases: Iterable[str] = ()) -> Said:
    """Return what a source says by a posting.

    Args:
        source: URL of the feed or page that states it.
        posting: What it states.
        aliases: URLs that redirect to the posting's.
    """
    own_id = real_id(posting.own_id)
    folded = _folded(posting.description)
    return Said(
        key=number_of(source, own_id) if own_id else 0,
        url=number_of(posting.url) if posting.url else 0,
        name=number_of(*map(_folded, (posting.title, posting.company, posting.place))),
        text=number_of(folded) if folded else 0,
        digest=digest_of(posting),
        is_anchored=len(own_id) >= _LONG_ID and own_id in posting.url,
        is_front=_ROOT.fullmatch(posting.url) is not None,
        aliases=frozenset(number_of(url) for url in aliases if not _ROOT.fullmatch(url)),
        is_telling=bool(posting.title and (posting.company or len(folded) >= _LONG_TEXT)),
    )


def real_id(own_id: str) -> str:
    """Return a source's own id; "" for what only stands in its place, such as `0` or `none`."""
    own_id = own_id.strip()
    return "" if _NO_ID.fullmatch(own_id) else own_id


def digest_of(posting: Posting) -> int:
    """Return a digest of what a posting says: another one is a change of the job.

    Of the date when it was posted only the day counts, since some feeds write the time of reading.
    """
    return number_of(
        posting.title, posting.company, posting.place_raw, posting.url, posting.description,
        posting.employment, posting.salary, str(posting.posted and posting.posted.date()),
        str(posting.closes and posting.closes.date()),
    )  # fmt: skip


def new_key(source: str, said: Said, at: str) -> str:
    """Return the stable id of a job that no row stands for yet.

    Args:
        source: URL of the feed or page that states it.
        said: What it says of the job: no two jobs of one reading say the same.
        at: When it was read: an id that a source gives anew later is another job's.
    """
    parts = (source, at, *map(str, (said.key, said.url, said.name, said.text)))
    return _hashed(parts, 16).hexdigest()


def number_of(*parts: str) -> int:
    """Return a number of 64 bits, as Neo4j stores them in place, and never 0."""
    return int.from_bytes(_hashed(parts, 8).digest(), "big", signed=True) or 1


def _hashed(parts: tuple[str, ...], size_bytes: int) -> "hashlib.blake2b":
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=size_bytes)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
