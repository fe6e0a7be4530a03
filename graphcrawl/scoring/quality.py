"""The quality scorer: how good a page will be, told from links to it, learned while crawling.

Source: [004.features], [004.score], [004.stats]; how it is learned is ours, see `Quality`.
"""

import math
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.features import (
    BIAS,
    SLOTS,
    Feature,
    host_feature,
    name_of,
    shown_features,
)
from graphcrawl.scoring.statistics import Vectors, added, pack, unpack
from graphcrawl.scoring.totals import add, change, dense, sparse

if TYPE_CHECKING:
    from graphcrawl.config import QualitySettings

KIND = "quality"
VERSION = 1  # of what the statistics mean; others are refused
PRIOR = 0.5  # in place of a prediction, while there is none to trust
L2 = 1e-3
HOSTS = 2**16  # slots of hosts' records
HOST_PRIOR = 2.0  # pages: so much does 0.5 weigh in a host's record
BUCKETS = 10  # of the calibration table
_MAX_LOG_ODDS = 30.0
_MAX_WEIGHT = 20.0
_SURE = 0.02  # a quality of 0 or 1 is learned as this far from it, since its log odds have no end
_TINY = 1e-12
# Slots of the vector of sums.
_LESSONS, _QUALITY, _LOSS, _SQUARES, _TABLE = 0, 1, 2, 3, 16

Rule = Literal["logistic", "source"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the scorer says of a waiting page."""

    value: float  # the score, 0 to 1
    observations: int  # lessons so far
    is_trusted: bool  # there were enough of them; else the score is the prior
    raw: float  # what the weights alone say
    needed: int = 0  # lessons for trust

    @property
    def standing(self) -> str:
        """Whether it is trusted, in words."""
        if self.is_trusted:
            return "trusted"
        return f"not trusted yet, {self.observations} of {self.needed}"


@dataclass(frozen=True, slots=True)
class Share:
    """What one feature adds to the log odds of a prediction: value · weight."""

    name: str
    value: float
    weight: float
    part: float


@dataclass(frozen=True, slots=True)
class Bucket:
    """A line of the calibration table: predictions of about one size, made before the lesson."""

    low: float
    high: float
    pages: int
    predicted: float  # on average
    found: float  # on average


@dataclass(frozen=True, slots=True)
class QualityStats:
    """What there is to say of the scorer [004.stats]."""

    observations: int
    average_quality: float | None  # None before the first lesson
    average_loss: float | None  # log loss of the predictions, each made before its lesson
    average_error: float | None  # root of their mean square error
    calibration_error: float | None  # mean gap of the table's lines, weighted by their pages
    calibration: tuple[Bucket, ...]
    weights: int  # that are not 0


class Quality:
    """Online logistic regression over features of links; 2^18 weights, with a bias.

    A lesson (features x, quality q) moves each weight against the gradient g = (p − q)·x of the log
    loss, in a step that adapts to it: `G ← decay·G + g²; w ← (1 − rate·L2)·w − rate·g / √G`. G is
    the feature's own, so an old lesson fades only as its feature teaches new ones: what is rare is
    not forgotten, and what changes is learned anew at once. Together the steps of a lesson go at
    most half the way to its quality's log odds.

    With `rule="source"` it learns as source 004 does, for comparison: no bias, plain gradient
    steps, and every weight times the decay at each lesson.

    The score is `(1 − f)·prediction + f·mean worth of the parents`, f being the propagation factor;
    without parents it is the prediction alone. Below the least number of observations, 0.5 stands
    in the prediction's place.

    Source: [004.score]; steps after Duchi, Hazan and Singer, "Adaptive subgradient methods" (2011),
    with forgetting as in RMSProp.

    Args:
        rule: How weights are learned.
        learning_rate: Step of a lesson.
        feature_decay: What is left of an old lesson, at each new one of its feature.
        propagation_factor: Share of the parents' worth in a score; 0: none.
        min_observations: Lessons before predictions are trusted.
    """

    kind = KIND
    version = VERSION

    def __init__(
        self,
        *,
        rule: Rule = "logistic",
        learning_rate: float = 0.1,
        feature_decay: float = 0.95,
        propagation_factor: float = 0.3,
        min_observations: int = 5,
    ) -> None:
        self.rule = rule
        self._rate = learning_rate
        self._decay = feature_decay
        self._factor = propagation_factor
        self._min = min_observations
        self.lessons = 0  # learned by this object, not absorbed
        self._own: Vectors = _nothing()
        self._others: Vectors = _nothing()
        self._set_up()

    @classmethod
    def of(cls, settings: "QualitySettings") -> "Quality":
        """Return one that has learned nothing, with these settings."""
        return cls(
            rule=settings.rule,
            learning_rate=settings.learning_rate,
            feature_decay=settings.feature_decay,
            propagation_factor=settings.propagation_factor,
            min_observations=settings.min_observations,
        )

    @property
    def observations(self) -> int:
        """How many lessons it rests on, those of others included."""
        return max(0, round(self._sums.get(_LESSONS, 0.0)))

    def predict(self, candidate: Candidate) -> Prediction:
        """Foretell the quality of a waiting page."""
        raw = _sigmoid(self._log_odds(self._features(candidate)))
        observations = self.observations
        trusted = observations >= self._min
        value = self._blend(raw if trusted else PRIOR, candidate)
        return Prediction(value, observations, trusted, raw, self._min)

    def values(
        self, candidates: Collection[Candidate], shown: Sequence[Sequence[Feature]] | None = None
    ) -> list[float]:
        """Return the scores of many waiting pages; faster than one by one.

        Args:
            candidates: The pages.
            shown: What `features.shown_features` says of each, where that is known already.
        """
        if self.observations < self._min:
            return [self._blend(PRIOR, candidate) for candidate in candidates]
        found = []
        weights = self._weights
        shown = shown or [shown_features(candidate) for candidate in candidates]
        for candidate, features in zip(candidates, shown, strict=True):
            place, value = self._host_feature(candidate)
            z = sum([weights[slot] * x for slot, x in features]) + weights[place] * value
            found.append(self._blend(_sigmoid(z), candidate))
        return found

    def learn(self, candidate: Candidate, quality: float) -> bool:
        """Learn from a page that was fetched; returns whether there was anything to learn.

        A quality that is no finite number teaches nothing; others are taken as 0 to 1.

        Args:
            candidate: The page as it was when it was claimed.
            quality: What it turned out to have, see `scoring.worth.quality_of`.
        """
        if not math.isfinite(quality):
            return False
        quality = max(0.0, min(1.0, quality))
        features = self._features(candidate)
        z = self._log_odds(features)
        self._note(_sigmoid(z), quality)
        if self.rule == "source":
            self._learn_as_the_source(features, quality - _sigmoid(z))
        else:
            self._learn_logistic(features, z, quality)
        host = _host_slot(candidate.host)
        add(self._host_pages, self._own["host pages"], host, 1.0)
        add(self._host_quality, self._own["host quality"], host, quality)
        self.lessons += 1
        return True

    def explain(
        self, candidate: Candidate, names: Mapping[int, str] | None = None
    ) -> tuple[Share, ...]:
        """Return what each feature adds to the log odds, the greatest first; their sum is all.

        Args:
            candidate: The page.
            names: Readable names of hashed features, see `features.names_of`.
        """
        merged: dict[int, float] = {}
        for slot, x in self._features(candidate):
            merged[slot] = merged.get(slot, 0.0) + x
        shares = (
            Share(name_of(slot, names or {}), x, self._weights[slot], x * self._weights[slot])
            for slot, x in merged.items()
            if self._weights[slot]
        )
        return tuple(sorted(shares, key=lambda share: -abs(share.part)))

    def stats(self) -> QualityStats:
        """Return how much it has learned and how well its predictions fit."""
        n, sums = self.observations, self._sums
        table = tuple(self._bucket(number) for number in range(BUCKETS))
        rows = tuple(bucket for bucket in table if bucket.pages)
        gap = sum(bucket.pages * abs(bucket.predicted - bucket.found) for bucket in rows)
        return QualityStats(
            observations=n,
            average_quality=sums.get(_QUALITY, 0.0) / n if n else None,
            average_loss=sums.get(_LOSS, 0.0) / n if n else None,
            average_error=math.sqrt(max(0.0, sums.get(_SQUARES, 0.0)) / n) if n else None,
            calibration_error=gap / n if n else None,
            calibration=rows,
            weights=sum(map(bool, self._weights)),
        )

    def top(
        self, limit: int = 20, names: Mapping[int, str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the features that say most, for or against, with their weights."""
        used = (slot for slot in range(SLOTS) if self._weights[slot])
        best = sorted(used, key=lambda slot: -abs(self._weights[slot]))[:limit]
        return [(name_of(slot, names or {}), self._weights[slot]) for slot in best]

    def export(self) -> bytes:
        """Return all that this object has learned itself, as a blob of `scoring.statistics`."""
        return pack(KIND, VERSION, self._own)

    def vectors(self) -> Vectors:
        """Return all that this object has learned itself, as named vectors."""
        return self._own

    def summed(self, blobs: Iterable[bytes]) -> bytes:
        """Return the sum of what several have exported, as one blob.

        Raises:
            ModelError: One of them cannot be used.
        """
        return added(blobs, KIND, VERSION)

    def absorb(self, blob: bytes) -> None:
        """Take over all that others have learned, in place of what was absorbed before.

        Args:
            blob: The sum of their exports, see `summed`.

        Raises:
            ModelError: It cannot be used; then nothing has changed.
        """
        self.take_over(unpack(blob, KIND, VERSION))

    def take_over(self, others: Vectors) -> None:
        """Take over what `vectors` of others sum up to, in place of what was absorbed before."""
        limits = {"weights": SLOTS, "energy": SLOTS}
        self._others = {
            name: {
                slot: value
                for slot, value in others.get(name, {}).items()
                if slot < limits.get(name, HOSTS)
            }
            for name in _nothing()
        }
        self._set_up()

    def _set_up(self) -> None:
        """Make the working state of own and others' sums."""
        both = (self._others, self._own)
        self._weights = dense(both, "weights", SLOTS, -_MAX_WEIGHT, _MAX_WEIGHT)
        self._energy = dense(both, "energy", SLOTS, 0.0, math.inf)
        self._sums = sparse(both, "sums")
        self._host_pages = sparse(both, "host pages")
        self._host_quality = sparse(both, "host quality")
        self._used = {slot for part in both for slot in part["weights"]}

    def _features(self, candidate: Candidate) -> Sequence[Feature]:
        return [*shown_features(candidate), self._host_feature(candidate)]

    def _host_feature(self, candidate: Candidate) -> Feature:
        host = _host_slot(candidate.host)
        pages = self._host_pages.get(host, 0.0)
        if pages <= 0:
            return host_feature(None)
        total = self._host_quality.get(host, 0.0)
        return host_feature((total + HOST_PRIOR * PRIOR) / (pages + HOST_PRIOR))

    def _log_odds(self, features: Sequence[Feature]) -> float:
        weights = self._weights
        if self.rule == "source":
            return sum(weights[slot] * x for slot, x in features if slot != BIAS)
        return sum([weights[slot] * x for slot, x in features])

    def _blend(self, prediction: float, candidate: Candidate) -> float:
        count = candidate.parent_count
        if count <= 0 or not self._factor or not math.isfinite(candidate.parent_sum):
            return prediction
        parents = max(0.0, min(1.0, candidate.parent_sum / count))
        return (1.0 - self._factor) * prediction + self._factor * parents

    def _learn_logistic(self, features: Sequence[Feature], z: float, quality: float) -> None:
        rate, error = self._rate, quality - _sigmoid(z)
        weights, energy = self._weights, self._energy
        own, own_energy = self._own["weights"], self._own["energy"]
        steps = []
        move = 0.0
        for slot, x in features:
            pull = error * x
            before = energy[slot]
            after = self._decay * before + pull * pull
            if after < _TINY:  # nothing to learn, and no step of any size
                continue
            energy[slot] = after
            own_energy[slot] = own_energy.get(slot, 0.0) + after - before
            step = rate * pull / math.sqrt(after)
            steps.append((slot, step))
            move += step * x
        if not move:
            return
        sure = max(_SURE, min(1.0 - _SURE, quality))
        room = 0.5 * abs(math.log(sure / (1.0 - sure)) - z)
        part = min(1.0, room / abs(move))
        shrink = 1.0 - min(1.0, rate * L2)
        for slot, step in steps:
            before = weights[slot]
            after = max(-_MAX_WEIGHT, min(_MAX_WEIGHT, before * shrink + part * step))
            weights[slot] = after
            own[slot] = own.get(slot, 0.0) + after - before

    def _learn_as_the_source(self, features: Sequence[Feature], error: float) -> None:
        for slot in self._used:
            change(self._weights, self._own["weights"], slot, self._weights[slot] * self._decay)
        for slot, x in features:
            if slot != BIAS:
                weight = self._weights[slot] + self._rate * error * x
                weight = max(-_MAX_WEIGHT, min(_MAX_WEIGHT, weight))
                change(self._weights, self._own["weights"], slot, weight)
                self._used.add(slot)

    def _note(self, predicted: float, quality: float) -> None:
        """Count a prediction against what was found."""
        sums, own = self._sums, self._own["sums"]
        safe = max(1e-9, min(1.0 - 1e-9, predicted))
        add(sums, own, _LESSONS, 1.0)
        add(sums, own, _QUALITY, quality)
        loss = -(quality * math.log(safe) + (1.0 - quality) * math.log(1.0 - safe))
        add(sums, own, _LOSS, loss)
        add(sums, own, _SQUARES, (predicted - quality) ** 2)
        row = _TABLE + 3 * min(int(predicted * BUCKETS), BUCKETS - 1)
        add(sums, own, row, 1.0)
        add(sums, own, row + 1, predicted)
        add(sums, own, row + 2, quality)

    def _bucket(self, number: int) -> Bucket:
        row = _TABLE + 3 * number
        pages = round(self._sums.get(row, 0.0))
        predicted, found = (self._sums.get(row + n, 0.0) / (pages or 1) for n in (1, 2))
        return Bucket(number / BUCKETS, (number + 1) / BUCKETS, pages, predicted, found)


def _nothing() -> Vectors:
    return {"weights": {}, "energy": {}, "sums": {}, "host pages": {}, "host quality": {}}


def _host_slot(host: str) -> int:
    return zlib.crc32(host.encode("utf-8", "replace")) % HOSTS


def _sigmoid(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, z))))
