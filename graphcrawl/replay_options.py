"""How the twin of graph and frontier goes on, and what it asks of an order: see `replay`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from graphcrawl.crawl.ordering import HEADS, MATTERS, MOVED, SWEEP, TOUCHED
from graphcrawl.scoring.candidate import Candidate


class Scorer(Protocol):
    """What an order does, see `scoring.orders`."""

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> Any:
        """Take in what a page turned out to be worth, by what was known of it before."""

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return priorities."""


class Axons(NamedTuple):
    """The axons so far, one place each in three lists."""

    sources: list[int]
    targets: list[int]
    weights: list[float]


# New rewards of all pages from: rewards, base rewards, strengths, axons.
Flow = Callable[[list[float], list[float], list[float], Axons], Sequence[float]]


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How the twin goes on."""

    batch: int = 1  # pages in flight: claimed together, recorded together
    rescore_pages: int = 16  # pages between two rounds; 0: none
    heads: int = HEADS  # in a round: the best pages that wait
    touched: int = TOUCHED  # in a round: pages that the last ones link to
    sweep: int = SWEEP  # in a round: pages that were found before, in turn
    least_change: float = MOVED  # a priority is rewritten where it moved by more, as a share …
    least_matter: float = MATTERS  # … and by more than this share of the greatest one
    newborn: float = 0.1  # share of a page's reward minted for its links [000.newborn]
    seed_reward: float = 100.0
    feed_new: float = 1000.0  # points for the first page that links to a job feed
    feed_known: float = 20.0
    flow: Flow | None = None  # None: reward does not flow
    flow_pages: int = 100  # pages between two distributions
    rank: Flow | None = None  # gives each page the rank that stands in its cash's place
