"""The blend: all evidence for a waiting page, by weights that the crawl itself learns."""

import math
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import (
    LINEAGE,
    Address,
    Means,
    address_of,
    lineage_cue,
    token_ids,
)
from graphcrawl.scoring.features import ANCHOR, AROUND
from graphcrawl.scoring.quality import Quality
from graphcrawl.scoring.ridge import Ridge
from graphcrawl.scoring.statistics import added, pack, unpack
from graphcrawl.scoring.words import cue_id, words_of

KIND = "composite"
VERSION = 1  # of what `export` writes; others are refused

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
    "new-host": (0.05, 4.0),
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
MAX_REWARD = 1e12
MAX_PATH_DEPTH = 10  # [004.composite]
FLOOR = 0.05  # sums below it are bent so that they stay above 0 and in their order
LOT_BONUS = 1.0  # lifts a page that was drawn over all that is merely foretold
PROMISE = 0.6  # share of a page's worth that the page it was found on is worth as well
MAX_RECENT = 4096  # pages that may still be credited
MAX_CREDITED = 4  # pages back
SOLVE_EVERY = 8  # lessons
MAX_ADDRESSES = 50_000  # kept from one look at a waiting page to the next

_TO_KNOW = 2.0  # pages after which a host is half known
_HOST_TRUST, _DIRECTORY_TRUST, _TOKEN_TRUST, _CUE_TRUST = 4.0, 2.0, 2.0, 2.0


class Part(NamedTuple):
    """One piece of evidence in a score."""

    name: str
    value: float  # 0 to 1
    weight: float
    part: float  # value x weight; the parts of a page sum to its score


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


@dataclass(slots=True)
class _Lesson:
    """A page that was learned from, for what is found by it later."""

    values: list[float]
    places: tuple[int, ...]
    cues: tuple[int, ...]
    parent: int | None  # lineage cue of the page it was found on
    target: float


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

    kind = KIND
    version = VERSION
    wants_cues = True
    learns = True

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        keywords: Mapping[str, float] | None = None,
        explore: float = 0.02,
        seed: int = 0,
        quality: Quality | None = None,
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
        self._weights = list(self.prior)
        self._solved_at = 0.0
        self._newest = 1
        self._recent: dict[int, _Lesson] = {}
        self.promise = PROMISE
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
        values = self._evidence(candidate, *self._qualities((candidate,)))
        address = self._address(candidate)
        places = (address.host, *address.directories, *address.tokens)
        reward = _reward_by_degree(candidate)
        for statistics in self._both():
            statistics.ridge.learn(values, worth)
            statistics.places.learn(places, worth)
            statistics.cues.learn(candidate.cues, worth)
            statistics.worth_sum += worth
            statistics.reward_sum += reward
        lesson = _Lesson(values, places, candidate.cues, _first_lineage(candidate.cues), worth)
        self._credit(lesson.parent, worth)
        self._remember(lineage_cue(candidate.url), lesson)
        if self.quality is not None:
            self.quality.learn(candidate, worth if quality is None else quality)

    @property
    def lessons(self) -> int:
        """How many fetched pages this object has learned itself."""
        return round(self._own.ridge.lessons)

    @property
    def observations(self) -> int:
        """How many it rests on, those of others included."""
        return max(0, round(self._all.ridge.lessons))

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
        for candidate, quality in zip(candidates, self._qualities(candidates), strict=True):
            score = _bent(sum(map(mul, weights, evidence(candidate, quality))))
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
        values = self._evidence(candidate, *self._qualities((candidate,)))
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
        """Return what this worker itself learned: totals, so to write them twice does no harm.

        The scorer of quality has an export of its own.
        """
        own = self._own
        sums = [own.worth_sum, own.reward_sum, *own.ridge.sums()]
        vectors = {
            "sums": dict(enumerate(sums)),
            "place pages": {key: row[0] for key, row in own.places.table.items()},
            "place worths": {key: row[1] for key, row in own.places.table.items()},
            "cue pages": {key: row[0] for key, row in own.cues.table.items()},
            "cue worths": {key: row[1] for key, row in own.cues.table.items()},
        }
        return pack(KIND, VERSION, vectors)

    def summed(self, blobs: Sequence[bytes]) -> bytes:
        """Return the sum of several exports; raises ModelError where one cannot be used."""
        return added(blobs, KIND, VERSION)

    def absorb(self, blob: bytes) -> None:
        """Take over all that others have learned, in place of what was absorbed before.

        Args:
            blob: The sum of their exports, see `scoring.statistics.added`.

        Raises:
            ModelError: It cannot be used; then nothing has changed.
        """
        self._all = _read(blob)
        self._all.add(self._own)
        self._solved_at = -1.0

    # ------------------------------------------------------------------------------------ internal

    def _both(self) -> tuple[_Statistics, ...]:
        return (self._own,) if self._all is self._own else (self._own, self._all)

    def _remember(self, cue: int, lesson: "_Lesson") -> None:
        self._recent.pop(cue, None)
        self._recent[cue] = lesson
        if len(self._recent) > MAX_RECENT:
            del self._recent[next(iter(self._recent))]

    def _credit(self, cue: int | None, worth: float) -> None:
        """Let a page be worth a share of what was found by it, and the page it was found on too."""
        for _ in range(MAX_CREDITED):
            lesson = self._recent.get(cue) if cue is not None else None
            worth *= self.promise
            if lesson is None or worth <= lesson.target:
                return
            more = worth - lesson.target
            lesson.target = worth
            for statistics in self._both():
                statistics.ridge.correct(lesson.values, more)
                statistics.places.correct(lesson.places, more)
                statistics.cues.correct(lesson.cues, more)
                statistics.worth_sum += more
            cue = lesson.parent

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

    def _qualities(self, candidates: Collection[Candidate]) -> Collection[float]:
        if self.quality is None:
            return [0.0] * len(candidates)
        return self.quality.values(candidates)

    def _evidence(self, candidate: Candidate, quality: float) -> list[float]:
        """Return the value of each piece, in the order of `NAMES`."""
        statistics = self._all
        lessons = statistics.ridge.lessons
        mean = (statistics.worth_sum + 0.05) / (lessons + 1.0)
        places = statistics.places
        address = self._address(candidate)
        host = directory = places.mean(address.host, mean, _HOST_TRUST)
        seen_of_host = places.pages(address.host)
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
        anchor, around, place = (
            total / many if many else mean for total, many in zip(sums[:3], seen[:3], strict=True)
        )
        reward = _reward_by_degree(candidate)
        usual = (statistics.reward_sum + 1.0) / (lessons + 1.0)
        parents = max(candidate.parent_count, 0)
        return [
            1.0,
            _share(candidate.parent_best),
            _share((candidate.parent_sum + mean) / (parents + 1.0)),
            reward / (reward + usual),
            _share(candidate.topic_hint),
            _share(candidate.feed_hint),
            _share(quality),
            self._keyword_value(candidate, address) if self._keywords else 0.0,
            host,
            _TO_KNOW / (_TO_KNOW + seen_of_host),
            directory,
            max(tokens) if tokens else mean,
            sum(tokens) / len(tokens) if tokens else mean,
            best,
            anchor,
            around,
            place,
            sums[3] / seen[3] if seen[3] else mean,
            sums[7] / seen[7] if seen[7] else mean,
            min(math.log1p(max(candidate.in_links, 0)) / MANY_IN_LINKS, 1.0),
            1.0 - min(address.path_depth, MAX_PATH_DEPTH) / MAX_PATH_DEPTH,
            1.0 / (1.0 + max(candidate.depth, 0)),
            min(max(candidate.number, 0) / self._newest, 1.0),
        ]

    def _keyword_value(self, candidate: Candidate, address: Address) -> float:
        known = {*address.tokens, *candidate.cues}
        found = sum(
            share
            for words, share in self._keywords
            if not any(known.isdisjoint(ids) for ids in words)
        )
        return max(min(found, 1.0), -1.0)


def _first_lineage(cues: tuple[int, ...]) -> int | None:
    return next((cue for cue in cues if cue >> 17 == LINEAGE), None)


def lot_of(seed: int, url: str) -> float:
    """Return a page's lot, 0 to 1: of seed and URL alone."""
    return zlib.crc32(f"{seed}\n{url}".encode("utf-8", "surrogatepass")) / 2**32


def _keyword_shares(
    keywords: Mapping[str, float],
) -> list[tuple[list[tuple[int, ...]], float]]:
    """Return for each keyword, by which ids each of its words is known, and its share of weight."""
    total = sum(map(abs, keywords.values())) or 1.0
    shares = []
    for keyword, weight in keywords.items():
        words = [
            (*token_ids(word), cue_id(ANCHOR, word), cue_id(AROUND, word))
            for word in words_of(keyword)
        ]
        if words:
            shares.append((words, weight / total))
    return shares


def _bent(total: float) -> float:
    return total if total >= FLOOR else FLOOR * math.exp(total / FLOOR - 1.0)


def _reward_by_degree(candidate: Candidate) -> float:
    """Return reward by degree: raw reward pools on hubs."""
    reward = candidate.reward
    degree = candidate.strength if candidate.strength > 1.0 else 1.0  # NaN compares as false
    return reward / degree if 0.0 < reward < MAX_REWARD else 0.0


def _share(value: float) -> float:
    """Return a value as a number from 0 to 1; what is none counts as 0."""
    return min(value, 1.0) if value > 0.0 else 0.0  # NaN compares as false


def _read(blob: bytes) -> _Statistics:
    vectors = unpack(blob, KIND, VERSION)
    found = _Statistics()
    sums = vectors.get("sums", {})
    size = len(found.ridge.sums())
    found.worth_sum, found.reward_sum = sums.get(0, 0.0), sums.get(1, 0.0)
    found.ridge = Ridge.of_sums(len(NAMES), [sums.get(2 + i, 0.0) for i in range(size)])
    for means, name in ((found.places, "place"), (found.cues, "cue")):
        worths = vectors.get(f"{name} worths", {})
        for key, pages in vectors.get(f"{name} pages", {}).items():
            if pages > 0:
                means.table[key] = [pages, worths.get(key, 0.0)]
    return found
