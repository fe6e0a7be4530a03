"""A crawl of a web that is known already: graph and frontier in memory, many times as fast.

The twin keeps the facts of waiting pages by the product's rules (`facts`, `settle`, `record`) and
asks an order for priorities when the crawl would (`crawl.ordering`): for new targets at once, and
every few pages for what the last pages touched, for the best that wait, and for others in turn.
So orders can be compared on recorded webs and on a graph that was crawled, without a request. It
knows no politeness: the best page of all comes next, and of equals the one discovered first.
"""

import heapq
from collections import deque
from collections.abc import Iterable, Sequence

from graphcrawl.facts import DAMPING, MAX_CUES
from graphcrawl.recorded_web import RecordedWeb, ReplayLink
from graphcrawl.replay_options import Axons, Flow, ReplayOptions, Scorer
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import lineage_cue
from graphcrawl.scoring.worth import DUPLICATE

__all__ = ["Axons", "Flow", "Replay", "ReplayOptions", "Scorer"]

_UNKNOWN, _WAITING, _LEASED, _DONE = range(4)


class Replay:
    """One crawl of a recorded web."""

    def __init__(
        self,
        web: RecordedWeb,
        order: Scorer,
        seeds: Iterable[int],
        options: ReplayOptions | None = None,
    ) -> None:
        """Let the seeds wait.

        Args:
            web: What there is.
            order: Decides what comes next; it learns.
            seeds: Pages to start from.
            options: How to go on.
        """
        size = len(web)
        self._web, self._order = web, order
        self.options = options or ReplayOptions()
        self.done: list[int] = []  # pages in the order of their fetches
        self.foretold: list[float] = []  # the priority each had when it was claimed
        self.reward, self.base, self.strength = [0.0] * size, [0.0] * size, [0.0] * size
        self.axons = Axons([], [], [])
        self._state = bytearray(size)
        self._number, self._depth = [0] * size, [0] * size
        self._in_links, self._parents = [0] * size, [0] * size
        self._best, self._sum = [0.0] * size, [0.0] * size
        self._cash, self._hint, self._topic = [0.0] * size, [0.0] * size, [0.0] * size
        self._cues: dict[int, tuple[int, ...]] = {}
        self._priority = [0.0] * size
        self._queue: list[tuple[float, int, int]] = []
        self._linked_from: dict[int, list[int]] = {}
        self._feeds: dict[int, int] = {}  # feed → the page that found it
        self._seen_feeds: set[int] = set()
        self._feed_of: dict[int, int] = {}  # fetched page → the feed that it is or leads to
        self._paid: set[tuple[int, int]] = set()
        self._worth: dict[int, float] = {}  # of fetched pages
        self._stands_for: dict[int, int] = {}  # page that redirects → where it leads
        self._touched: dict[int, None] = {}  # since the last round, the newest last
        self._flowed: set[int] = set()  # their reward moved since the last round
        self._turns: deque[int] = deque()
        self._born: list[int] = []  # since the last record, without a priority yet
        self._discovered = 0
        self._since_round = self._since_flow = 0
        for seed in dict.fromkeys(seeds):
            self._discovered += 1
            self._discover(seed, 0, self._discovered)
            self.reward[seed] = self.base[seed] = self.options.seed_reward
            self._cash[seed] = 1.0
        self._rank_born()

    def run(self, pages: int) -> list[int]:
        """Fetch until so many pages were fetched in all, or none waits; return them in order."""
        while len(self.done) < pages and self.step(pages - len(self.done)):
            pass
        return self.done

    def step(self, most: int | None = None) -> list[int]:
        """Claim the best pages, fetch and record them, learn; return them."""
        size = self.options.batch if most is None else min(most, self.options.batch)
        claimed = [page for page in (self._claim() for _ in range(size)) if page >= 0]
        known = [self.candidate(page) for page in claimed]
        is_due = self.options.rescore_pages and self._since_round >= self.options.rescore_pages
        anew = self._round() if is_due else {}  # written with the next record
        lessons = [self._record(page) for page in claimed]
        self._rank_born()  # their score goes in with the record, so before it teaches anything
        for page, score in anew.items():
            if self._state[page] == _WAITING:
                self._put(page, score)
        for candidate, lesson in zip(known, lessons, strict=True):
            if lesson is not None:
                self._order.learn(candidate, *lesson)
        self._since_round += len(claimed)
        self._since_flow += len(claimed)
        if self._since_flow >= self.options.flow_pages:
            self._since_flow = 0
            self._distribute()
        return claimed

    def candidate(self, page: int) -> Candidate:
        """Return what is known of a page."""
        return Candidate(
            self._web.url(page),
            self._web.host(page),
            self._depth[page],
            self._number[page],
            self._in_links[page],
            self._best[page],
            self._sum[page],
            self._parents[page],
            self.reward[page],
            self.strength[page],
            self._cash[page],
            self._hint[page],
            self._topic[page],
            self._cues.get(page, ()),
        )

    def waiting(self) -> list[int]:
        """Return the pages that wait, best first."""
        found = [page for page, state in enumerate(self._state) if state == _WAITING]
        return sorted(found, key=lambda page: (-self._priority[page], self._number[page]))

    def priority(self, page: int) -> float:
        """Return the priority of a page that waits."""
        return self._priority[page]

    # -- the graph

    def _discover(self, page: int, depth: int, number: int) -> None:
        self._state[page] = _WAITING
        self._number[page] = number
        self._depth[page] = depth
        self._born.append(page)

    def _record(self, page: int) -> tuple[float, float] | None:
        """Write what a fetch gave; return its worth and quality; None: nothing is to be learned."""
        found = self._web.fetch(page)
        self._state[page] = _DONE
        self.done.append(page)
        if found.redirects:
            if found.links:
                self._redirect(page, found.links[0].target)
            return None
        self._worth[page] = found.worth
        self.reward[page] += found.points
        self.base[page] += found.points
        left = 1.0
        if found.feed >= 0:
            left = DUPLICATE if found.feed in self._seen_feeds else 1.0
            self._seen_feeds.add(found.feed)
            self._feed_of[page] = found.feed
        share = self.options.newborn * self.reward[page]
        share /= sum(link.weight for link in found.links) or 1.0
        born = len(self._born)
        for place, link in enumerate(found.links, start=self._discovered + 1):
            self._link(page, link, place, found.worth, share * link.weight)
        self._discovered += len(found.links)
        self._hand_on(page, found.links, born)
        if found.feed >= 0:
            self._pay_finders(page, found.feed)
        for link in found.links:
            self._touched[link.target] = None
            if link.target in self._feed_of:
                self._pay(page, self._feed_of[link.target])
        quality = found.worth if found.quality is None else found.quality
        return found.worth, left * quality

    def _link(self, page: int, link: ReplayLink, number: int, worth: float, minted: float) -> None:
        target, named = self._representative(link.target), link.target
        sources = self._linked_from.setdefault(target, [])
        if target == page or (target != named and page in sources):
            return
        if self._state[target] == _UNKNOWN:
            self._discover(target, self._depth[page] + 1, number)
            self.reward[target] = minted
        if self._state[target] != _DONE and target == named:
            self._hint[target] = max(self._hint[target], link.feed_hint)
            self._topic[target] = max(self._topic[target], link.topic_hint)
            self._add_cues(target, (lineage_cue(self._web.url(page)), *link.cues))
        if sources and sources[-1] == page:  # it has linked to an alias of this one just now
            place = len(self.axons.targets) - 1
            while self.axons.targets[place] != target:
                place -= 1
            for end in (page, target):
                self.strength[end] += link.weight - self.axons.weights[place]
            self.axons.weights[place] = link.weight
            return
        self._depth[target] = min(self._depth[target], self._depth[page] + 1)
        self.axons.sources.append(page)
        self.axons.targets.append(target)
        self.axons.weights.append(link.weight)
        self.strength[page] += link.weight
        self.strength[target] += link.weight
        sources.append(page)
        self._in_links[target] += 1
        if self._state[target] != _DONE:
            self._parents[target] += 1
            self._sum[target] += worth
            self._best[target] = max(self._best[target], worth)

    def _hand_on(self, page: int, links: Sequence[ReplayLink], born: int) -> None:
        """Hand on cash, all of it; or say what rank newborns are likely to have."""
        if not links:
            return
        each = self._cash[page] / len(links)
        if self.options.rank is not None:
            for target in self._born[born:]:
                self._cash[target] += DAMPING * each
            return
        for link in links:
            self._cash[link.target] += each
        self._cash[page] = 0.0

    def _add_cues(self, target: int, cues: tuple[int, ...]) -> None:
        had = self._cues.get(target, ())
        if cues and len(had) < MAX_CUES:
            self._cues[target] = tuple(dict.fromkeys((*had, *cues)))[:MAX_CUES]

    def _representative(self, page: int) -> int:
        """Return what a page stands for, at the end of its redirects; no circle is ever kept."""
        while page in self._stands_for:
            page = self._stands_for[page]
        return page

    def _redirect(self, page: int, target: int) -> None:
        """Let the target stand for the page: what is known of the page gathers on it."""
        self._discovered += 1
        target = self._representative(target)
        if target == page:  # in a circle: nothing stands for it
            return
        if self._state[target] == _UNKNOWN:
            self._discover(target, self._depth[page], self._discovered)
        self._depth[target] = min(self._depth[target], self._depth[page])
        self._hint[target] = max(self._hint[target], self._hint[page])
        self._best[target] = max(self._best[target], self._best[page])
        self._sum[target] += self._sum[page]
        self._parents[target] += self._parents[page]
        self._topic[target] = max(self._topic[target], self._topic[page])
        self._cash[target] += self._cash[page]
        self._cash[page] = 0.0
        self._add_cues(target, self._cues.get(page, ()))
        self._rank_born()  # a new one is scored before it takes over axons and reward
        self._stands_for[page] = target
        for amounts in (self.reward, self.base):
            amounts[target] += amounts[page]
            amounts[page] = 0.0
        self._take_over(page, target)
        if target in self._feed_of:
            self._feed_of[page] = self._feed_of[target]
            self._pay_finders(target, self._feed_of[target])

    def _take_over(self, page: int, target: int) -> None:
        """Let the axons that lead to a page lead to another, each source once."""
        sources = self._linked_from.setdefault(target, [])
        finders = set(self._linked_from.pop(page, ()))
        known = {*sources, target}
        kept = Axons([], [], [])
        for source, to, weight in zip(*self.axons, strict=True):
            if to == page:
                self.strength[page] -= weight
                if source in known:
                    self.strength[source] -= weight
                    continue
                sources.append(source)
                self.strength[target] += weight
            kept.sources.append(source)
            kept.targets.append(target if to == page else to)
            kept.weights.append(weight)
        if finders:
            self.axons = kept
        self._in_links[target], self._in_links[page] = len(sources), 0
        if self._state[target] != _DONE:
            worths = [self._worth.get(source, 0.0) for source in sources]
            self._best[target] = max(worths, default=0.0)
            self._sum[target], self._parents[target] = sum(worths), len(worths)

    def _pay_finders(self, page: int, feed: int) -> None:
        for finder in self._linked_from.get(page, ()):
            self._pay(finder, feed)

    def _pay(self, page: int, feed: int) -> None:
        """Pay a page that links to a job feed, once [000.evaluate]."""
        if (page, feed) in self._paid or self._feed_of.get(page) == feed:
            return
        self._paid.add((page, feed))
        first = self._feeds.setdefault(feed, page) == page
        points = self.options.feed_new if first else self.options.feed_known
        self.reward[page] += points
        self.base[page] += points

    def _distribute(self) -> None:
        """Let reward flow, or rank all pages; what moved by much is scored again."""
        for flow, values in (
            (self.options.flow, self.reward),
            (self.options.rank, self._cash),
        ):
            if flow is None:
                continue
            new = list(flow(self.reward, self.base, self.strength, self.axons))
            for page, state in enumerate(self._state):
                moved = abs(new[page] - values[page]) > self.options.least_change * values[page]
                if state == _WAITING and moved:
                    self._flowed.add(page)
            values[:] = new

    # -- the frontier

    def _claim(self) -> int:
        """Lease the best page of all; -1: none waits."""
        while self._queue:
            negative, _, page = heapq.heappop(self._queue)
            if self._state[page] == _WAITING and -negative == self._priority[page]:
                self._state[page] = _LEASED
                self.foretold.append(-negative)
                return page
        return -1

    def _round(self) -> dict[int, float]:
        """Score again what new evidence touched, what would come next, and some others in turn.

        Returns:
            Pages that wait by another score from the next record on.
        """
        self._since_round = 0
        options = self.options
        chosen = {*list(self._touched)[-options.touched :], *self._heads(), *self._flowed}
        turn = [self._turns.popleft() for _ in range(min(options.sweep, len(self._turns)))]
        self._turns.extend(page for page in turn if self._state[page] == _WAITING)
        self._touched.clear()
        self._flowed.clear()
        found = self._scores(sorted(chosen.union(turn)))
        least = options.least_matter * max((abs(score) for _, score in found), default=0.0)
        return {
            page: score
            for page, score in found
            for old in (self._priority[page],)
            if abs(score - old) > max(options.least_change * abs(old), least)
        }

    def _heads(self) -> list[int]:
        """Return the first pages of the queue without taking them out."""
        found: dict[int, None] = {}
        todo = [(self._queue[0], 0)] if self._queue else []
        while todo and len(found) < self.options.heads:
            entry, place = heapq.heappop(todo)
            page = entry[2]
            if self._state[page] == _WAITING and -entry[0] == self._priority[page]:
                found[page] = None
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(self._queue):
                    heapq.heappush(todo, (self._queue[child], child))
        return list(found)

    def _rank_born(self) -> None:
        """Give new pages the priority that they wait by."""
        for page, score in self._scores(self._born):
            self._put(page, score)
        self._turns.extend(self._born)
        self._born.clear()

    def _scores(self, pages: Iterable[int]) -> list[tuple[int, float]]:
        """Return the scores of those pages that wait."""
        chosen = [page for page in pages if self._state[page] == _WAITING]
        if not chosen:
            return []
        scores = self._order.score([self.candidate(page) for page in chosen])
        return list(zip(chosen, scores, strict=True))

    def _put(self, page: int, score: float) -> None:
        self._priority[page] = score
        heapq.heappush(self._queue, (-score, self._number[page], page))
