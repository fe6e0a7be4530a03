"""The blend: all evidence for a waiting page, by weights that the crawl itself learns."""

import json
import math
import zlib
from collections.abc import Collection, Mapping
from operator import mul
from typing import NamedTuple, Protocol

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import Address, Means, address_of, hash_of, word_cue
from graphcrawl.scoring.ridge import Ridge

VERSION = 1  # of what `export` writes

# Each piece of evidence, 0 to 1: the weight it has before anything was learned, and how firmly.
PIECES: dict[str, tuple[float, float]] = {
    "base": (0.0, 1.0),
    "parent-best": (0.35, 4.0),
    "parent-mean": (0.25, 4.0),
    "reward": (0.15, 4.0),
    "topic": (0.40, 4.0),
    "feed": (0.50, 4.0),
    "quality": (0.10, 4.0),
    "keywords": (0.30, 4.0),
    "host": (0.15, 4.0),
    "directory": (0.15, 4.0),
    "url-best": (0.10, 4.0),
    "url-mean": (0.10, 4.0),
    "anchor-best": (0.15, 4.0),
    "anchor-mean": (0.15, 4.0),
    "around": (0.10, 4.0),
    "place": (0.05, 4.0),
    "form": (0.05, 4.0),
    "lineage": (0.15, 4.0),
    "in-links": (0.05, 4.0),
    "path-depth": (0.02, 4.0),
    "depth": (0.02, 4.0),
    "fresh": (0.0, 4.0),
}
NAMES = tuple(PIECES)
MANY_IN_LINKS = math.log1p(1000)
MAX_PATH_DEPTH = 10  # [004.composite]
FLOOR = 0.05  # sums below it are bent so that they stay above 0 and in their order
LOT_BONUS = 1.0  # lifts a page that was drawn over all that is merely foretold
SOLVE_EVERY = 8  # lessons
MAX_ADDRESSES = 50_000  # kept from one look at a waiting page to the next

_HOST_TRUST, _DIRECTORY_TRUST, _TOKEN_TRUST, _CUE_TRUST = 4.0, 2.0, 2.0, 2.0


class Part(NamedTuple):
    """One piece of evidence in a score."""

    name: str
    value: float  # 0 to 1
    weight: float
    part: float  # value x weight; the parts of a page sum to its score


class Forecast(Protocol):
    """What a quality scorer foretells."""

    @property
    def value(self) -> float:
        """0 to 1."""


class Foreteller(Protocol):
    """A scorer of quality that learns."""

    def predict(self, candidate: Candidate) -> Forecast:
        """Foretell the quality of a page."""

    def learn(self, candidate: Candidate, quality: float) -> object:
        """Take in what a page turned out to be."""


class _Statistics:
    """All that is counted; sums, so that those of several workers add up."""

    __slots__ = ("cues", "places", "reward_sum", "ridge", "worth_sum")

    def __init__(self) -> None:
        self.ridge = Ridge(len(NAMES))
        self.places = Means()  # hosts, directories, URL tokens
        self.cues = Means()
        self.worth_sum = 0.0
        self.reward_sum = 0.0  # of reward by degree

    def add(self, other: "_Statistics") -> None:
        self.ridge.add(other.ridge)
        self.places.add(other.places)
        self.cues.add(other.cues)
        self.worth_sum += other.worth_sum
        self.reward_sum += other.reward_sum


class Composite:
    """Scores waiting pages by all that is known of them, and learns what that is worth.

    The score of a page is the worth that is foretold for it: the sum of its evidence, each piece
    0 to 1 times its weight. Weights come from a ridge regression of the worth of fetched pages on
    the evidence as it was when they were claimed; it starts from `PIECES`. A small share of pages
    is drawn by lot: which, depends on the seed and their URLs alone, how many, on how many pages
    are discovered for each that is fetched.

    Source: [004.composite], [003.focus], [000.order].

    Args:
        weights: Weights that are fixed by hand, by the name of their piece.
        keywords: Words that speak for a page where its URL or the links to it have them.
        explore: Share of fetched pages that are drawn by lot.
        seed: Of the lots.
        quality: Foretells quality; none: this piece says nothing.
    """

    wants_cues = True
    learns = True

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        keywords: Mapping[str, float] | None = None,
        explore: float = 0.02,
        seed: int = 0,
        quality: Foreteller | None = None,
    ) -> None:
        fixed = dict(weights or {})
        self.prior = [fixed.get(name, PIECES[name][0]) for name in NAMES]
        self._trust = [PIECES[name][1] for name in NAMES]
        self._fixed = [name in fixed for name in NAMES]
        self._keywords = _keyword_shares(keywords or {})
        self._explore = explore
        self._seed = seed
        self.quality = quality
        self._own = _Statistics()
        self._all = self._own
        self._parts: dict[str, _Statistics] = {}
        self._weights = list(self.prior)
        self._solved_at = 0.0
        self._newest = 1
        self._addresses: dict[str, Address] = {}

    # ------------------------------------------------------------------------------------ lessons

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        """Take in what a page turned out to be worth.

        Args:
            candidate: What was known of it when it was claimed.
            worth: 0 to 1. What is no finite number teaches nothing.
            quality: 0 to 1, for the scorer of quality; none: its worth.
        """
        if not math.isfinite(worth):
            return
        worth = min(max(worth, 0.0), 1.0)
        self._see(candidate)
        values = self._evidence(candidate)
        address = self._address(candidate)
        places = (address.host, *address.directories, *address.tokens)
        degree = max(candidate.strength, 1.0)
        for statistics in {id(s): s for s in (self._own, self._all)}.values():
            statistics.ridge.learn(values, worth)
            statistics.places.learn(places, worth)
            statistics.cues.learn(candidate.cues, worth)
            statistics.worth_sum += worth
            statistics.reward_sum += _finite(candidate.reward) / degree
        if self.quality is not None:
            self.quality.learn(candidate, worth if quality is None else quality)

    @property
    def lessons(self) -> int:
        """How many fetched pages taught the weights."""
        return round(self._all.ridge.lessons)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each piece of evidence as of now."""
        self._solve()
        return dict(zip(NAMES, self._weights, strict=True))

    # -------------------------------------------------------------------------------------- scores

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return the score of each candidate: finite, 0 or more, the greater the sooner."""
        self._solve()
        for candidate in candidates:
            self._see(candidate)
        weights, evidence = self._weights, self._evidence
        share = self._lot_share()
        scores = []
        for candidate in candidates:
            score = _bent(sum(map(mul, weights, evidence(candidate))))
            if share and lot_of(self._seed, candidate.url) < share:
                score += LOT_BONUS
            scores.append(score)
        return scores

    def explain(self, candidate: Candidate) -> tuple[Part, ...]:
        """Return the parts that sum to the score of a candidate, in the order of `NAMES`.

        Two more may follow: `floor`, by which a sum near or below 0 was lifted, and `lot`.
        """
        self._solve()
        self._see(candidate)
        values = self._evidence(candidate)
        parts = [
            Part(name, value, weight, value * weight)
            for name, value, weight in zip(NAMES, values, self._weights, strict=True)
        ]
        total = sum(part.part for part in parts)
        if total < FLOOR:
            lift = _bent(total) - total
            parts.append(Part("floor", 1.0, lift, lift))
        share = self._lot_share()
        if share and lot_of(self._seed, candidate.url) < share:
            parts.append(Part("lot", 1.0, LOT_BONUS, LOT_BONUS))
        return tuple(parts)

    # ------------------------------------------------------------------------------------- keeping

    def export(self) -> bytes:
        """Return what this worker itself learned: totals, so to write them twice does no harm."""
        own = self._own
        data = {
            "version": VERSION,
            "pieces": NAMES,
            "ridge": own.ridge.sums(),
            "worth": own.worth_sum,
            "reward": own.reward_sum,
            "places": _rows(own.places),
            "cues": _rows(own.cues),
        }
        return zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 3)

    def absorb(self, data: bytes, part: str = "") -> None:
        """Take in what another worker or an earlier run exported.

        Args:
            data: What `export` gave.
            part: Whose it is; what the same part said before is replaced.

        Raises:
            ValueError: It is damaged, or of another version.
        """
        self._parts[part] = _read(data)
        self._all = _Statistics()
        self._all.add(self._own)
        for statistics in self._parts.values():
            self._all.add(statistics)
        self._solved_at = -1.0

    # ------------------------------------------------------------------------------------ internal

    def _solve(self) -> None:
        lessons = self._all.ridge.lessons
        if 0 <= lessons - self._solved_at < SOLVE_EVERY and self._solved_at >= 0:
            return
        weights = self._all.ridge.solve(self.prior, self._trust, self._fixed)
        if all(map(math.isfinite, weights)):
            self._weights = weights
        self._solved_at = lessons

    def _see(self, candidate: Candidate) -> None:
        self._newest = max(self._newest, candidate.number)

    def _lot_share(self) -> float:
        """Return the share of waiting pages to draw, so that of fetched ones it is `explore`."""
        return self._explore * min(1.0, (self._all.ridge.lessons + 1) / self._newest)

    def _address(self, candidate: Candidate) -> Address:
        address = self._addresses.get(candidate.url)
        if address is None:
            if len(self._addresses) >= MAX_ADDRESSES:
                self._addresses.clear()
            address = address_of(candidate.url, candidate.host)
            self._addresses[candidate.url] = address
        return address

    def _evidence(self, candidate: Candidate) -> list[float]:
        """Return the value of each piece, in the order of `NAMES`."""
        statistics = self._all
        lessons = statistics.ridge.lessons
        mean = (statistics.worth_sum + 0.05) / (lessons + 1.0)
        places = statistics.places
        address = self._address(candidate)
        host = directory = places.mean(address.host, mean, _HOST_TRUST)
        for key in address.directories:
            directory = places.mean(key, directory, _DIRECTORY_TRUST)
        tokens = places.means(address.tokens, mean, _TOKEN_TRUST)
        best, sums, seen = mean, [0.0] * 8, [0] * 8
        start, table = _CUE_TRUST * mean, statistics.cues.table
        for cue in candidate.cues:
            row = table.get(cue)
            if row is not None:
                value = (row[1] + start) / (row[0] + _CUE_TRUST)
                kind = (cue >> 17) & 7
                sums[kind] += value
                seen[kind] += 1
                if kind == 0 and (value > best or seen[0] == 1):
                    best = value
        anchor, around, place, form, lineage = (
            total / many if many else mean for total, many in zip(sums[:5], seen[:5], strict=True)
        )
        degree = max(candidate.strength, 1.0)
        reward = max(_finite(candidate.reward), 0.0) / degree
        usual = (statistics.reward_sum + 1.0) / (lessons + 1.0)
        parents = max(candidate.parent_count, 0)
        quality = self.quality.predict(candidate).value if self.quality is not None else 0.0
        return [
            1.0,
            _share(candidate.parent_best),
            _share((candidate.parent_sum + mean) / (parents + 1.0)),
            reward / (reward + usual) if reward < math.inf else 1.0,
            _share(candidate.topic_hint),
            _share(candidate.feed_hint),
            _share(quality),
            self._keyword_value(candidate, address) if self._keywords else 0.0,
            host,
            directory,
            max(tokens) if tokens else mean,
            sum(tokens) / len(tokens) if tokens else mean,
            best,
            anchor,
            around,
            place,
            form,
            lineage,
            min(math.log1p(max(candidate.in_links, 0)) / MANY_IN_LINKS, 1.0),
            1.0 - min(address.path_depth, MAX_PATH_DEPTH) / MAX_PATH_DEPTH,
            1.0 / (1.0 + max(candidate.depth, 0)),
            min(max(candidate.number, 0) / self._newest, 1.0),
        ]

    def _keyword_value(self, candidate: Candidate, address: Address) -> float:
        known = {*address.tokens, *candidate.cues}
        return min(sum(s for ids, s in self._keywords if not known.isdisjoint(ids)), 1.0)


def lot_of(seed: int, url: str) -> float:
    """Return a page's lot, 0 to 1: of seed and URL alone."""
    return zlib.crc32(f"{seed}\n{url}".encode("utf-8", "surrogatepass")) / 2**32


def _keyword_shares(keywords: Mapping[str, float]) -> list[tuple[tuple[int, ...], float]]:
    total = sum(abs(weight) for weight in keywords.values()) or 1.0
    return [
        ((hash_of(word.lower()), word_cue(0, word), word_cue(1, word)), weight / total)
        for word, weight in keywords.items()
    ]


def _bent(total: float) -> float:
    return total if total >= FLOOR else FLOOR * math.exp(total / FLOOR - 1.0)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _share(value: float) -> float:
    """Return a value as a number from 0 to 1; what is none counts as 0."""
    return min(value, 1.0) if value > 0.0 else 0.0  # NaN compares as false


def _rows(means: Means) -> list[list[float]]:
    return [[key, pages, round(worths, 6)] for key, (pages, worths) in means.table.items()]


def _read(data: bytes) -> _Statistics:
    try:
        found = json.loads(zlib.decompress(data))
        version, pieces = found["version"], tuple(found["pieces"])
        if version != VERSION or pieces != NAMES:
            raise ValueError(f"it is of version {version}, not {VERSION}")
        statistics = _Statistics()
        statistics.ridge = Ridge.of_sums(len(NAMES), found["ridge"])
        statistics.worth_sum, statistics.reward_sum = float(found["worth"]), float(found["reward"])
        for means, name in ((statistics.places, "places"), (statistics.cues, "cues")):
            for key, pages, worths in found[name]:
                means.table[int(key)] = [float(pages), float(worths)]
        numbers = [*found["ridge"], statistics.worth_sum, statistics.reward_sum]
        for means in (statistics.places, statistics.cues):
            numbers += [number for row in means.table.values() for number in row]
        if not all(map(math.isfinite, numbers)):
            raise ValueError("it holds numbers that are none")
    except (zlib.error, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"these weights cannot be read: {error}") from error
    return statistics
