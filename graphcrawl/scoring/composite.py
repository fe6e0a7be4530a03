"""The blend: all evidence for a waiting page, by weights that the crawl itself learns."""

import math
import zlib
from collections.abc import Collection, Mapping, Sequence
from operator import mul

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import Address, address_of, lineage_cue
from graphcrawl.scoring.features import shown_features
from graphcrawl.scoring.pieces import NAMES, PIECES, Part
from graphcrawl.scoring.quality import Quality
from graphcrawl.scoring.records import Lesson, Records, keyword_shares
from graphcrawl.scoring.statistics import added, pack, unpack

__all__ = ["NAMES", "PIECES", "Composite", "Part", "lot_of"]

KIND = "composite"
VERSION = 2  # of what `export` writes; others are refused

FLOOR = 0.05  # sums below it are bent so that they stay above 0 and in their order
LOT_BONUS = 1.0  # lifts a page that was drawn over all that is merely foretold
PROMISE = 0.6  # share of a page's worth that the page it was found on is worth as well
MAX_RECENT = 4096  # pages that may still be credited
MAX_CREDITED = 4  # pages back
SOLVE_EVERY = 8  # lessons
_WORDS = "words "  # before the names of the vectors of what foretells worth
MAX_ADDRESSES = 50_000  # kept from one look at a waiting page to the next


class Composite:
    """Scores waiting pages by all that is known of them, and learns what that is worth.

    The score of a page is the worth that is foretold for it: the sum of its evidence, each piece
    0 to 1 times its weight. Weights come from a ridge regression of the worth of fetched pages on
    the evidence as it was when they were claimed; it starts from `PIECES`. One piece is what an
    online model of words, places and parents foretells: a `Quality` that is taught worths. A small
    share of pages is drawn by lot: which, depends on the seed and their URLs alone, how many, on
    how many pages are discovered for each that is fetched.

    Source: [004.composite], [003.focus], [000.order].

    Args:
        weights: Weights that are fixed by hand, by the name of their piece.
        keywords: Words that speak for a page where its URL or the links to it have them.
        explore: Share of fetched pages that are drawn by lot.
        seed: Of the lots.
        quality: Foretells quality; none: this piece says nothing.
        promise: Share of a page's worth that the page it was found on is worth as well, so that
            what leads to good pages is learned; 0: none.
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
        promise: float = PROMISE,
    ) -> None:
        fixed = dict(weights or {})
        self.prior = [fixed.get(name, PIECES[name][0]) for name in NAMES]
        self._trust = [PIECES[name][1] for name in NAMES]
        self._fixed = [name in fixed for name in NAMES]
        self._keywords = keyword_shares(keywords or {})
        self._explore = explore
        self._seed = seed
        self.quality = quality
        self._foretelling = Quality()  # of worth
        self._own = Records()
        self._all = self._own
        self._weights = list(self.prior)
        self._solved_at = 0.0
        self._newest = 1
        self._recent: dict[int, Lesson] = {}
        self._promise = promise
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
        values = self._values(candidate)
        lesson = Lesson.of(candidate, self._address(candidate), values, worth)
        for records in self._both():
            records.learn(lesson)
        self._credit(lesson.parent, worth)
        self._remember(lineage_cue(candidate.url), lesson)
        self._foretelling.learn(candidate, worth)
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

    def discovered(self, pages: int) -> None:
        """Take in how many pages were discovered by now, by which it tells what is fresh."""
        self._newest = max(self._newest, pages)

    # -------------------------------------------------------------------------------------- scores

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return the score of each candidate: finite, 0 or more, the greater the sooner."""
        self._solve()
        for candidate in candidates:
            self._see(candidate)
        weights, evidence, address = self._weights, self._all.evidence, self._address
        keywords, newest = self._keywords, self._newest
        share = self._lot_share()
        scores = []
        foretold = zip(*self._foretold(candidates), strict=True)
        for candidate, (worth, quality) in zip(candidates, foretold, strict=True):
            values = evidence(candidate, address(candidate), worth, quality, keywords, newest)
            score = _bent(sum(map(mul, weights, values)))
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
        values = self._values(candidate)
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
        words = self._foretelling.vectors()
        return pack(KIND, VERSION, self._own.vectors() | {_WORDS + n: v for n, v in words.items()})

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
        vectors = unpack(blob, KIND, VERSION)
        self._all = Records.of_vectors(vectors)
        self._all.add(self._own)
        words = {name: v for name, v in vectors.items() if name.startswith(_WORDS)}
        self._foretelling.take_over({name.removeprefix(_WORDS): v for name, v in words.items()})
        self._solved_at = -1.0

    # ------------------------------------------------------------------------------------ internal

    def _both(self) -> tuple[Records, ...]:
        return (self._own,) if self._all is self._own else (self._own, self._all)

    def _remember(self, cue: int, lesson: Lesson) -> None:
        self._recent.pop(cue, None)
        self._recent[cue] = lesson
        if len(self._recent) > MAX_RECENT:
            del self._recent[next(iter(self._recent))]

    def _credit(self, cue: int | None, worth: float) -> None:
        """Let a page be worth a share of what was found by it, and the page it was found on too."""
        for _ in range(MAX_CREDITED):
            lesson = self._recent.get(cue) if cue is not None else None
            worth *= self._promise
            if lesson is None or worth <= lesson.target:
                return
            more = worth - lesson.target
            lesson.target = worth
            for records in self._both():
                records.correct(lesson, more)
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

    def _foretold(self, candidates: Collection[Candidate]) -> tuple[list[float], list[float]]:
        """Return the worth and the quality that words, places and parents foretell of each."""
        pages = list(candidates)
        shown = [shown_features(candidate) for candidate in pages]
        worths = self._foretelling.values(pages, shown)
        return worths, self.quality.values(pages, shown) if self.quality else [0.0] * len(pages)

    def _values(self, candidate: Candidate) -> list[float]:
        (worth,), (quality,) = self._foretold((candidate,))
        address = self._address(candidate)
        return self._all.evidence(candidate, address, worth, quality, self._keywords, self._newest)


def lot_of(seed: int, url: str) -> float:
    """Return a page's lot, 0 to 1: of seed and URL alone."""
    return zlib.crc32(f"{seed}\n{url}".encode("utf-8", "surrogatepass")) / 2**32


def _bent(total: float) -> float:
    return total if total >= FLOOR else FLOOR * math.exp(total / FLOOR - 1.0)
