"""The orders in which waiting pages can be fetched."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.composite import Composite, lot_of
from graphcrawl.scoring.pieces import OrderName, Part
from graphcrawl.scoring.quality import Quality

__all__ = ["Order", "OrderName", "PlainOrder", "QualityOrder", "order_of"]

FEED_HINT_POINTS = 100.0  # of reward, that a link which looks like one to a job feed is worth


class Order(Protocol):
    """What decides which waiting page comes next: the one with the greatest score."""

    @property
    def wants_cues(self) -> bool:
        """Whether it looks at the cues of links, which cost time to make."""

    @property
    def learns(self) -> bool:
        """Whether scores change with what is fetched."""

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        """Take in what a fetched page turned out to be worth."""

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return a finite score for each candidate."""

    def explain(self, candidate: Candidate) -> tuple[Part, ...]:
        """Return the parts that sum to the score of a candidate."""


@dataclass(frozen=True, slots=True)
class PlainOrder:
    """An order whose score is the sum of a few facts."""

    parts_of: Callable[[Candidate], tuple[Part, ...]]
    wants_cues: bool = False
    learns: bool = False

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        """Learn nothing."""

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return the score of each candidate."""
        return [sum(part.part for part in self.parts_of(candidate)) for candidate in candidates]

    def explain(self, candidate: Candidate) -> tuple[Part, ...]:
        """Return the parts that sum to the score of a candidate."""
        return self.parts_of(candidate)


@dataclass(frozen=True, slots=True)
class QualityOrder:
    """By foretold quality alone."""

    quality: Quality
    wants_cues: bool = True
    learns: bool = True

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        """Teach the scorer."""
        self.quality.learn(candidate, worth if quality is None else quality)

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return the foretold quality of each candidate."""
        return self.quality.values(candidates)

    def explain(self, candidate: Candidate) -> tuple[Part, ...]:
        """Return the one part that there is."""
        return (_part("quality", self.quality.predict(candidate).value),)


def order_of(
    by: OrderName,
    *,
    weights: Mapping[str, float] | None = None,
    keywords: Mapping[str, float] | None = None,
    explore: float = 0.02,
    seed: int = 0,
    quality: Quality | None = None,
) -> Order:
    """Return the order of that name.

    Args:
        by: Its name.
        weights: Of evidence, fixed by hand; `composite` alone.
        keywords: Words that speak for a page; `composite` alone.
        explore: Share of pages drawn by lot; `composite` alone.
        seed: Of the lots of `composite` and `random`.
        quality: The scorer that `quality` goes by and `composite` listens to.
    """
    if by == "composite":
        return Composite(weights, keywords, explore, seed, quality)
    if by == "quality":
        if quality is None:
            raise ValueError("the order quality needs a scorer of quality")
        return QualityOrder(quality)
    if by == "random":
        return PlainOrder(lambda candidate: (_part("lot", lot_of(seed, candidate.url)),))
    return PlainOrder(_PLAIN[by])


def _part(name: str, value: float, weight: float = 1.0) -> Part:
    return Part(name, value, weight, value * weight)


def _by_reward(candidate: Candidate) -> tuple[Part, ...]:
    """As the sources have it: reward, and what a link says of feeds [000.order]."""
    hint = _part("feed", candidate.feed_hint, FEED_HINT_POINTS)
    return (_part("reward", candidate.reward), hint)


def _by_topic(candidate: Candidate) -> tuple[Part, ...]:
    """Best first: half its best parent, half the words of its links."""
    return (
        _part("parent-best", candidate.parent_best, 0.5),
        _part("topic", candidate.topic_hint, 0.5),
    )


_PLAIN: Mapping[OrderName, Callable[[Candidate], tuple[Part, ...]]] = {
    "reward": _by_reward,
    "topic": _by_topic,
    # First found, first fetched; the last found first.
    "bfs": lambda candidate: (_part("found", 1.0 / (1.0 + candidate.number)),),
    "dfs": lambda candidate: (_part("found", float(candidate.number)),),
    # Abiteboul, Preda and Cobena, Adaptive On-Line Page Importance Computation (2003).
    "opic": lambda candidate: (_part("cash", candidate.cash),),
    "pagerank": lambda candidate: (_part("pagerank", candidate.cash),),
}
