"""Keeps the waiting pages in order: learns from what is recorded, and scores what that touches.

New pages are scored before they are recorded, so that their score goes in with them. A round looks
again at the pages that the last records touched, at the best pages of the best hosts, and at a few
of those that were found before, in turn; it writes a score where it has moved by more than a tenth
of itself, and by more than a hundredth of the best one's.
So a page deep in its host's queue may wait by a score as old as its turn takes: with n pages
that wait, about n / SWEEP rounds.
"""

import math
from collections import deque
from collections.abc import Collection, Sequence
from typing import Protocol

from graphcrawl.facts import Scored
from graphcrawl.frontier import Frontier
from graphcrawl.models import Fetched, Outcome
from graphcrawl.recorded import RecordReport
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.worth import lesson_of

SHARE = 0.08  # of wall time: the most that rounds may take
MOVED = 0.1  # a score is written again when it has moved by more than this share of itself …
MATTERS = 0.01  # … and of the best score: what is last stays last
HEADS = 256  # pages at the head of the queues, a round
TOUCHED = 128  # pages that the last records link to, a round
SWEEP = 32  # pages that were found before, a round, in turn
MET = 200_000  # pages that this run remembers to have found


class Order(Protocol):
    """What decides which page comes next; see `scoring.orders`."""

    @property
    def wants_cues(self) -> bool:
        """Whether it looks at the cues of links."""

    @property
    def learns(self) -> bool:
        """Whether scores change with what is fetched."""

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        """Take in what a fetched page turned out to be worth."""

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        """Return a score for each candidate, the greater the sooner."""


class Ordering:
    """One order at work in one run."""

    def __init__(self, order: Order, *, depends_on_facts: bool = True) -> None:
        """Take an order.

        Args:
            order: Scores pages and learns.
            depends_on_facts: Whether scores change while a page waits.
        """
        self.order = order
        self.rounds = 0
        self.moved = 0  # scores written by rounds
        self._is_fixed = not (depends_on_facts or order.learns)
        self._met: dict[str, None] = {}  # pages that were found, the oldest first
        self._digests: dict[str, str] = {}  # of pages, and under which URL each was had first
        self._touched: dict[str, None] = {}  # pages that records have touched since the last round
        self._turns: deque[str] = deque(maxlen=MET)

    def score(self, candidates: Sequence[Candidate]) -> list[float | None]:
        """Return the scores of pages about to be recorded; None of those that are known."""
        new = [candidate for candidate in candidates if candidate.url not in self._met]
        scores = dict(zip((c.url for c in new), self.scores(new), strict=True))
        return [scores.get(candidate.url) for candidate in candidates]

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return a finite score for each candidate, whatever the order says."""
        found = self.order.score(candidates) if candidates else []
        return [score if math.isfinite(score) else 0.0 for score in found]

    def learn(self, outcomes: Sequence[Outcome], report: RecordReport) -> None:
        """Learn from a recorded batch, and note what it touched."""
        lost = {*report.refused, *report.unrecordable}
        for outcome in outcomes:
            if outcome.claim.url in lost:
                continue
            known = outcome.claim.facts
            lesson = lesson_of(outcome, duplicate=self._is_duplicate(outcome))
            if lesson and known and not outcome.claim.visited:
                self.order.learn(known, *lesson)
            if isinstance(outcome.fetch, Fetched) and outcome.page:
                kept_out = {url for url, _ in outcome.page.excluded}
                self._meet([link.url for link in outcome.page.links if link.url not in kept_out])

    def _is_duplicate(self, outcome: Outcome) -> bool:
        """Tell whether a page is another one under a new URL: it says so, or this run had it."""
        page = outcome.page
        if page is None or not page.digest:
            return False
        first = self._digests.setdefault(page.digest, outcome.claim.url)
        if len(self._digests) > MET:
            del self._digests[next(iter(self._digests))]
        return first != outcome.claim.url or page.canonical not in ("", outcome.claim.url)

    def _meet(self, urls: Sequence[str]) -> None:
        for url in urls:
            if url not in self._met:
                self._met[url] = None
                self._turns.append(url)
            if not self._is_fixed:
                self._touched[url] = None
        while len(self._met) > MET:
            del self._met[next(iter(self._met))]

    async def round(self, frontier: Frontier) -> int:
        """Score again what has changed; return how many pages got another score."""
        if self._is_fixed:
            return 0
        newest = list(self._touched)[-TOUCHED:]
        self._touched.clear()
        turn = [self._turns.popleft() for _ in range(min(SWEEP, len(self._turns)))]
        found = await frontier.waiting({*newest, *turn}, HEADS)
        left = {scored.candidate.url for scored in found}
        self._turns.extend(url for url in turn if url in left)
        moved = self._moved(found)
        await frontier.rescore(moved)
        self.rounds += 1
        self.moved += len(moved)
        return len(moved)

    def _moved(self, found: Sequence[Scored]) -> dict[str, float]:
        scores = self.scores([scored.candidate for scored in found])
        least = MATTERS * max(map(abs, scores), default=0.0)
        return {
            scored.candidate.url: score
            for scored, score in zip(found, scores, strict=True)
            if scored.score is None
            or abs(score - scored.score) > max(MOVED * abs(scored.score), least)
        }
