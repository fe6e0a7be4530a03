"""What a run remembers of waiting pages, so that they can be scored again without asking the graph.

It knows what its own records said of them; what other workers and reward that flows have changed
comes with the looks at the graph (`Ordering.round`). Bounded: the least promising are forgotten.
"""

import heapq
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graphcrawl.facts import Scored, union
from graphcrawl.scoring.candidate import Candidate

MAX_KNOWN = 50_000  # of about 1 kB each; then the better half is kept


class Known:
    """Facts and scores of pages that wait, as far as this run knows."""

    def __init__(self) -> None:
        self.facts: dict[str, Candidate] = {}
        self.scores: dict[str, float] = {}
        self._turns: deque[str] = deque()

    def met(self, candidate: Candidate) -> Candidate:
        """Return what is known of a page with what new links to it say besides."""
        old = self.facts.get(candidate.url)
        return candidate if old is None else merged(old, candidate)

    def keep(self, candidates: Mapping[str, Candidate], scores: Mapping[str, float]) -> None:
        """Keep facts, and the scores that pages wait by where these are new."""
        for url, candidate in candidates.items():
            if url not in self.facts:
                self._turns.append(url)
            self.facts[url] = candidate
        self.scores.update(scores)
        if len(self.facts) > MAX_KNOWN:
            best = heapq.nlargest(MAX_KNOWN // 2, self.facts, key=lambda u: self.scores.get(u, 0.0))
            self.facts = {url: self.facts[url] for url in best}
            self.scores = {url: self.scores[url] for url in best if url in self.scores}
            self._turns = deque(url for url in self._turns if url in self.facts)

    def drop(self, urls: Collection[str]) -> None:
        """Forget pages that wait no more."""
        for url in urls:
            self.facts.pop(url, None)
            self.scores.pop(url, None)

    def heads(self, count: int) -> list[str]:
        """Return the pages with the greatest scores, the greatest first."""
        return heapq.nlargest(count, self.scores, key=self.scores.__getitem__)

    def turn(self, count: int) -> list[str]:
        """Return pages whose turn it is to be looked at; it is theirs again after all others."""
        found = []
        for _ in range(min(count, len(self._turns))):
            if (url := self._turns.popleft()) in self.facts:
                found.append(url)
                self._turns.append(url)
        return found

    def scored(self, urls: Collection[str]) -> list[Scored]:
        """Return what is known of those pages that are known, each once."""
        facts, scores = self.facts, self.scores
        return [Scored(facts[url], scores.get(url)) for url in urls if url in facts]


def merged(old: Candidate, new: Candidate) -> Candidate:
    """Return what is known of a page once links are added to it, as record adds them."""
    return replace(
        old,
        depth=min(old.depth, new.depth),
        in_links=old.in_links + new.in_links,
        parent_best=max(old.parent_best, new.parent_best),
        parent_sum=old.parent_sum + new.parent_sum,
        parent_count=old.parent_count + new.parent_count,
        strength=old.strength + new.strength,
        cash=old.cash + new.cash,
        feed_hint=max(old.feed_hint, new.feed_hint),
        topic_hint=max(old.topic_hint, new.topic_hint),
        cues=tuple(union(old.cues, new.cues)) if new.cues else old.cues,
    )


def written(found: Sequence[Scored], scores: Mapping[str, float]) -> list[Scored]:
    """Return pages with the scores that they are to wait by from now on."""
    return [
        replace(one, score=scores[one.candidate.url])
        for one in found
        if one.candidate.url in scores
    ]
