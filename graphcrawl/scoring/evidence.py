"""What fetched pages teach about waiting ones that share something with them: running means."""

import hashlib
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

MAX_MEANS = 200_000  # of one kind; then the half that was seen least is dropped
MAX_DIRECTORIES = 4
MAX_TOKENS = 12

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
    words = _TOKEN.findall(_DIGITS.sub("0", f"{parts.path} {parts.query}".lower()))
    return Address(
        host=hash_of(host),
        directories=tuple(directories),
        tokens=tuple(dict.fromkeys(hash_of(word) for word in words[-MAX_TOKENS:])),
        path_depth=len(segments),
    )


def hash_of(text: str) -> int:
    """Return 32 bits that stand for a text, the same in all processes and for ever."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class Means:
    """Running means of worth by hashed id; bounded, and additive: those of two workers sum up."""

    __slots__ = ("counts", "sums")

    def __init__(self) -> None:
        self.counts: dict[int, float] = {}
        self.sums: dict[int, float] = {}

    def learn(self, ids: Iterable[int], worth: float) -> None:
        """Count a fetched page for each of its ids."""
        counts, sums = self.counts, self.sums
        for key in ids:
            counts[key] = counts.get(key, 0.0) + 1.0
            sums[key] = sums.get(key, 0.0) + worth
        if len(counts) > MAX_MEANS:
            self._drop_rare()

    def mean(self, key: int, prior: float, trust: float) -> float:
        """Return a mean, drawn towards `prior` as if `trust` pages more had that worth."""
        return (self.sums.get(key, 0.0) + trust * prior) / (self.counts.get(key, 0.0) + trust)

    def means(self, keys: Sequence[int], prior: float, trust: float) -> list[float]:
        """Return the means of those ids that were seen at all."""
        counts, sums, start = self.counts, self.sums, trust * prior
        return [(sums[key] + start) / (counts[key] + trust) for key in keys if key in counts]

    def add(self, other: "Means") -> None:
        """Add what another worker counted."""
        for key, count in other.counts.items():
            self.counts[key] = self.counts.get(key, 0.0) + count
            self.sums[key] = self.sums.get(key, 0.0) + other.sums[key]
        if len(self.counts) > MAX_MEANS:
            self._drop_rare()

    def _drop_rare(self) -> None:
        """Keep the half that was seen most; of equals those seen last."""
        newest_first = list(reversed(self.counts))
        by_count = sorted(newest_first, key=self.counts.__getitem__, reverse=True)
        kept = set(by_count[: MAX_MEANS // 2])
        self.counts = {key: count for key, count in self.counts.items() if key in kept}
        self.sums = {key: total for key, total in self.sums.items() if key in kept}


def word_cue(namespace: int, word: str) -> int:
    """Return the cue of a word: its namespace above 17 bits of its hash."""
    digest = hashlib.blake2b(word.lower().encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return (namespace << 17) | (int.from_bytes(digest, "little") & 0x1FFFF)
