"""What fetched pages teach about waiting ones that share something with them: running means."""

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

MAX_MEANS = 200_000  # of one kind; then the half that was seen least is dropped
MAX_DIRECTORIES = 4
MAX_TOKENS = 12
LINEAGE = 7  # namespace of cues that say which page has the link

_TOKEN = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Address:
    """What a URL shares with others, as hashes that are the same in all processes."""

    host: int
    directories: tuple[int, ...]  # from the host's root downwards, without the root
    tokens: tuple[int, ...]  # words of path and query, numbers all alike
    path_depth: int


def address_of(url: str, host: str) -> Address:
    """Return what a URL shares with others."""
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    folders = segments if parts.path.endswith("/") else segments[:-1]
    directories = []
    place = host
    for folder in folders[:MAX_DIRECTORIES]:
        place = f"{place}/{folder}"
        directories.append(hash_of(place))
    return Address(
        host=hash_of(host),
        directories=tuple(directories),
        tokens=token_ids(f"{parts.path} {parts.query}"),
        path_depth=len(segments),
    )


def token_ids(text: str) -> tuple[int, ...]:
    """Return the ids of the last words of a text, each once."""
    words = _TOKEN.findall(_DIGITS.sub("0", text.lower()))
    return tuple(dict.fromkeys(hash_of(word) for word in words[-MAX_TOKENS:]))


def hash_of(text: str) -> int:
    """Return 32 bits that stand for a text, the same in all processes and for ever."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class Means:
    """Running means of worth by hashed id; bounded, and additive: those of two workers sum up."""

    __slots__ = ("table",)

    def __init__(self) -> None:
        self.table: dict[int, list[float]] = {}  # id → how many pages, sum of their worths

    def learn(self, ids: Iterable[int], worth: float) -> None:
        """Count a fetched page for each of its ids."""
        for key in ids:
            self._count(key, 1.0, worth)
        if len(self.table) > MAX_MEANS:
            self._drop_rare()

    def correct(self, ids: Iterable[int], more: float) -> None:
        """Let a page that was counted be worth more."""
        for row in map(self.table.get, ids):
            if row is not None:
                row[1] += more

    def pages(self, key: int) -> float:
        """Return how many pages were counted for an id."""
        row = self.table.get(key)
        return 0.0 if row is None else row[0]

    def mean(self, key: int, prior: float, trust: float) -> float:
        """Return a mean, drawn towards `prior` as if `trust` pages more had that worth."""
        row = self.table.get(key)
        return prior if row is None else (row[1] + trust * prior) / (row[0] + trust)

    def means(self, keys: Iterable[int], prior: float, trust: float) -> list[float]:
        """Return the means of those ids that were seen at all, drawn towards `prior`."""
        start = trust * prior
        return [(row[1] + start) / (row[0] + trust) for row in map(self.table.get, keys) if row]

    def add(self, other: "Means") -> None:
        """Add what another worker counted."""
        for key, (pages, worths) in other.table.items():
            self._count(key, pages, worths)
        if len(self.table) > MAX_MEANS:
            self._drop_rare()

    def _count(self, key: int, pages: float, worths: float) -> None:
        row = self.table.get(key)
        if row is None:
            self.table[key] = [pages, worths]
        else:
            row[0] += pages
            row[1] += worths

    def _drop_rare(self) -> None:
        """Keep the half that was seen most; of equals those seen last."""
        newest_first = list(reversed(self.table.items()))
        by_count = sorted(newest_first, key=lambda item: item[1][0], reverse=True)
        self.table = dict(reversed(by_count[: MAX_MEANS // 2]))


def lineage_cue(url: str) -> int:
    """Return the cue that all links of a page share, so that they have a record in common."""
    return (LINEAGE << 17) | (hash_of(url) & 0x1FFFF)
