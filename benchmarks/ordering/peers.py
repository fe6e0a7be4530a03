"""What other crawlers do, in few lines each: from papers and from their sources."""

import heapq
import random
from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import lsqr

from graphcrawl.scoring.candidate import Candidate
from ordering.twin import TaskWeb
from ordering.web import hashed, words_of

Crawl = Callable[[TaskWeb, int], list[int]]
_IRRELEVANT = 0.05  # similarity below which shark search inherits from further up


def best_first(web: TaskWeb, pages: int) -> list[int]:
    """Parent's cosine and anchor's cosine, half and half, as seen by the best parent so far."""
    return _by_links(web, pages, lambda sim, anchor, _: (0.5 * sim + 0.5 * anchor, 0.0))


def frozen(web: TaskWeb, pages: int) -> list[int]:
    """Order by the same, as seen by the first parent alone: a Scrapy spider with a priority."""
    return _by_links(web, pages, lambda sim, anchor, _: (0.5 * sim + 0.5 * anchor, 0.0), once=True)


def shark(web: TaskWeb, pages: int) -> list[int]:
    """Shark search: what a page inherits fades by half with each irrelevant page on the way.

    Source: Hersovici et al., The shark-search algorithm (1998).
    """

    def rule(sim: float, anchor: float, inherited: float) -> tuple[float, float]:
        passed = 0.5 * (sim if sim > _IRRELEVANT else inherited)
        return 0.5 * passed + 0.5 * anchor, passed

    return _by_links(web, pages, rule)


def oracle(web: TaskWeb, pages: int) -> list[int]:
    """Greedy oracle: it knows which waiting pages are targets, but not what lies behind them."""
    value = web.task.target + 1e-3 * web.task.worth
    queue = [(-2.0, seed) for seed in web.task.seeds.tolist()]
    return _walk(web, pages, queue, lambda _, target: -float(value[target]))


def chance(web: TaskWeb, pages: int) -> list[int]:
    """Any waiting page."""
    rng = random.Random(1)
    queue = [(-1.0, seed) for seed in web.task.seeds.tolist()]
    return _walk(web, pages, queue, lambda *_: rng.random())


def _walk(
    web: TaskWeb,
    pages: int,
    queue: list[tuple[float, int]],
    key: Callable[[int, int], float],
) -> list[int]:
    known, done = {page for _, page in queue}, []
    heapq.heapify(queue)
    while queue and len(done) < pages:
        page = heapq.heappop(queue)[1]
        done.append(page)
        for link in web.links(page):
            if link.target not in known:
                known.add(link.target)
                heapq.heappush(queue, (key(page, link.target), link.target))
    return done


def _by_links(
    web: TaskWeb,
    pages: int,
    rule: Callable[[float, float, float], tuple[float, float]],
    *,
    once: bool = False,
) -> list[int]:
    """Crawl by a rule: parent's similarity, anchor's, inherited → priority, passed on."""
    task = web.task
    has_sim = len(task.sim) > 0
    sim = (task.sim if has_sim else task.worth).tolist()
    anchor = (task.anchor_sim if has_sim else task.topic_hint + web.web.feed_hint).tolist()
    first = web.web.first.tolist()
    best: dict[int, float] = {}
    passed: dict[int, float] = {}
    queue = [(-9.0, place, seed) for place, seed in enumerate(task.seeds.tolist())]
    best.update((seed, 9.0) for _, _, seed in queue)
    fetched: set[int] = set()
    done: list[int] = []
    count = len(queue)
    while queue and len(done) < pages:
        page = heapq.heappop(queue)[2]
        if page in fetched:
            continue
        fetched.add(page)
        done.append(page)
        for place, link in enumerate(web.links(page), start=first[page]):
            if link.target in fetched or (once and link.target in best):
                continue
            value, gift = rule(sim[page], anchor[place], passed.get(page, 0.0))
            passed[link.target] = max(gift, passed.get(link.target, 0.0))
            if value > best.get(link.target, -1.0):
                best[link.target] = value
                count += 1
                heapq.heappush(queue, (-value, count, link.target))
    return done


class BatchLinear:
    """A linear model of words in URL, anchor and around it, trained anew in batches.

    As ACHE's online link classifier does it: all links to fetched pages are examples, the model is
    trained after every so many pages. Before the first training it goes by the best parent.
    """

    def __init__(self, every: int = 100, bits: int = 16, damp: float = 1.0) -> None:
        self._every, self._size, self._damp = every, 1 << bits, damp
        self._rows: list[list[int]] = []
        self._worths: list[float] = []
        self._weights: np.ndarray | None = None
        self._mean = 0.0
        self._words: dict[str, list[int]] = {}

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        self._rows.append(self._features(candidate))
        self._worths.append(worth)
        if len(self._rows) % self._every == 0:
            self._train()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        if self._weights is None:
            return [
                0.5 * one.parent_best + 0.5 * one.topic_hint + one.feed_hint for one in candidates
            ]
        weights = self._weights
        return [float(weights[self._features(one)].sum()) + self._mean for one in candidates]

    def _features(self, candidate: Candidate) -> list[int]:
        words = self._words.get(candidate.url)
        if words is None:
            words = [hashed(f"url {word}") % self._size for word in words_of(candidate.url)]
            self._words[candidate.url] = words
        return [*words, *(cue % self._size for cue in candidate.cues if cue >> 17 < 2)]

    def _train(self) -> None:
        first = np.cumsum([0, *map(len, self._rows)])
        places = np.array([place for row in self._rows for place in row], np.int64)
        shape = len(self._rows), self._size
        examples = sp.csr_matrix((np.ones(len(places)), places, first), shape=shape)
        worths = np.array(self._worths)
        self._mean = float(worths.mean())
        self._weights = lsqr(examples, worths - self._mean, damp=self._damp, iter_lim=30)[0]
