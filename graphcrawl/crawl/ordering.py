"""Keeps the waiting pages in order: learns from what is recorded, and scores what that touches.

New pages are scored before they are recorded, so that their score goes in with them. Every few
pages, the pages that the last records touched are scored again, those that would come next, and a
few of those that were found before, in turn; a score is written where it has moved by more than a
tenth of itself, and by more than a hundredth of the best one's. That goes by what the run remembers
(`crawl.known`), and is written with the next record: it costs neither a look at the graph nor a
transaction, so scores are as fresh on a busy machine as on an idle one. Seldom, a round does the
same by the graph, to learn what other workers and flowing reward have changed.
So a page deep in its host's queue may wait by a score as old as its turn takes: with n pages
that wait, about n / SWEEP times those few pages.
"""

import math
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from graphcrawl.crawl.known import Known, written
from graphcrawl.facts import Scored
from graphcrawl.frontier import Frontier
from graphcrawl.models import Fetched, Outcome, Redirected
from graphcrawl.recorded import RecordReport
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.worth import lesson_of

SHARE = 0.08  # of wall time: the most that rounds may take
MOVED = 0.1  # a score is written again when it has moved by more than this share of itself …
MATTERS = 0.01  # … and of the best score: what is last stays last
HEADS = 128  # pages at the head of the queues, a round
TOUCHED = 128  # pages that the last records link to, a round
SWEEP = 32  # pages that were found before, a round, in turn
CHECKED = 64  # remembered heads of which a round asks whether they still wait
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

    def __init__(
        self, order: Order, *, depends_on_facts: bool = True, every_pages: int = 16
    ) -> None:
        """Take an order.

        Args:
            order: Scores pages and learns.
            depends_on_facts: Whether scores change while a page waits.
            every_pages: How many pages teach before waiting ones are scored again.
        """
        self.order = order
        self.rounds = 0
        self.moved = 0  # scores written by rounds
        self._is_fixed = not (depends_on_facts or order.learns)
        self._found: dict[str, None] = {}  # pages that were found, the oldest first
        self._digests: dict[str, str] = {}  # of pages, and under which URL each was had first
        self._touched: dict[str, None] = {}  # pages that records have touched since the last round
        self._turns: deque[str] = deque(maxlen=MET)
        self._known = Known()
        self._said: tuple[dict[str, Candidate], dict[str, float]] = ({}, {})  # by a record
        self._every_pages, self._taught = every_pages, 0
        self._remembers = False  # until somebody asks for what it remembers

    def score(self, candidates: Sequence[Candidate]) -> list[float | None]:
        """Return the scores of pages about to be recorded; None of those that are known."""
        new = [candidate for candidate in candidates if candidate.url not in self._found]
        scores = dict(zip((c.url for c in new), self.scores(new), strict=True))
        if self._remembers and not self._is_fixed:  # kept once it is recorded
            known = self._known.facts
            of_use = [c for c in candidates if c.url in scores or c.url in known]
            self._said[0].update((c.url, self._known.met(c)) for c in of_use)
            self._said[1].update(scores)
        return [scores.get(candidate.url) for candidate in candidates]

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return a finite score for each candidate, whatever the order says."""
        found = self.order.score(candidates) if candidates else []
        return [score if math.isfinite(score) else 0.0 for score in found]

    def scores_at_start(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the scores of pages that wait already: what links to them makes them no new."""
        self._note(candidate.url for candidate in candidates)
        return self.scores(candidates)

    def learn(self, outcomes: Sequence[Outcome], report: RecordReport) -> None:
        """Learn from a recorded batch, and note what it touched."""
        lost = {*report.refused, *report.unrecordable}
        self._known.keep(*self._said)
        self._said = ({}, {})
        self._known.drop([outcome.claim.url for outcome in outcomes])
        self._taught += len(outcomes)
        for outcome in outcomes:
            if outcome.claim.url in lost:
                continue
            known = outcome.claim.facts
            lesson = lesson_of(outcome, duplicate=self._is_duplicate(outcome))
            if lesson and known and not outcome.claim.visited:
                self.order.learn(known, *lesson)
            kept_out = {url for url, _ in outcome.page.excluded} if outcome.page else set()
            self._known.drop(kept_out)
            if isinstance(outcome.fetch, Fetched) and outcome.page:
                self._meet([link.url for link in outcome.page.links if link.url not in kept_out])
            elif isinstance(outcome.fetch, Redirected) and outcome.fetch.target not in kept_out:
                self._note((outcome.fetch.target,))

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
        self._turns.extend(url for url in urls if url not in self._found)
        self._note(urls)
        if not self._is_fixed:
            self._touched.update(dict.fromkeys(urls))

    def _note(self, urls: Iterable[str]) -> None:
        self._found.update(dict.fromkeys(urls))
        while len(self._found) > MET:
            del self._found[next(iter(self._found))]

    def rescored(self) -> list[Scored]:
        """Return remembered pages that are to wait by another score, every few pages."""
        self._remembers = True
        if self._is_fixed or self._taught < self._every_pages:
            return []
        self._taught = 0
        newest = list(self._touched)[-TOUCHED:]
        self._touched.clear()
        known = self._known
        chosen = dict.fromkeys((*newest, *known.heads(HEADS), *known.turn(SWEEP)))
        found = known.scored(chosen)
        moved = self._moved(found)
        known.keep({}, moved)
        self.rounds += 1
        self.moved += len(moved)
        return written(found, moved)

    async def round(self, frontier: Frontier) -> int:
        """Score again what has changed; return how many pages got another score."""
        if self._is_fixed:
            return 0
        newest = list(self._touched)[-TOUCHED:]
        self._touched.clear()
        turn = [self._turns.popleft() for _ in range(min(SWEEP, len(self._turns)))]
        asked = {*newest, *turn, *(self._known.heads(CHECKED) if self._remembers else ())}
        found = await frontier.waiting(asked, HEADS)
        left = {scored.candidate.url: scored for scored in found}
        self._turns.extend(url for url in turn if url in left)
        self._known.drop(asked - left.keys())
        moved = self._moved(found)
        await frontier.rescore(moved)
        if self._remembers:
            scores = {url: one.score for url, one in left.items() if one.score is not None} | moved
            self._known.keep({url: one.candidate for url, one in left.items()}, scores)
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
