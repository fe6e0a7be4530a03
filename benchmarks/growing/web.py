"""A web of any size, as a crawl under way knows it: which pages wait, and what links to what.

Hosts have heavy-tailed numbers of pages. A fifth of the pages has been fetched and has 50 links on
average, so that there are ten axons a neuron. Four of five links stay on their host; how many lead
to a page is heavy-tailed on each host, and over all hosts for the others, as on the web.
Source: A. Broder et al., Graph structure in the Web, 2000.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[Any]]

PAGES_A_HOST = 200
LINKS_A_PAGE = 50
WAITING, FETCHED, FAILED, EXCLUDED = range(4)
SHARES = (0.75, 0.20, 0.01, 0.04)
SEEDS = 100
FEEDS_A_HOST = 0.02
STAYS = 0.8  # of links, on their host
WEIGHTS, WEIGHT_SHARES = (1.0, 0.5, 0.25), (0.7, 0.2, 0.1)
POSITIONS = ("main", "navigation", "footer")


@dataclass(frozen=True, slots=True)
class Web:
    """Pages by number, host by host; axons sorted by source, each pair once."""

    first: Numbers  # of each host, its first page; one more entry at the end
    host: Numbers  # of each page
    state: Numbers  # WAITING, FETCHED, FAILED or EXCLUDED
    reward: Numbers
    depth: Numbers
    feed: Numbers  # whether a page is a job feed
    source: Numbers
    target: Numbers
    weight: Numbers
    strength: Numbers
    in_links: Numbers

    @property
    def pages(self) -> int:
        """How many neurons."""
        return len(self.host)

    @property
    def hosts(self) -> int:
        """How many hosts."""
        return len(self.first) - 1


def make(pages: int, seed: int) -> Web:
    """Return a web of about so many pages; the same seed gives the same web."""
    rng = np.random.default_rng(seed)
    sizes = _host_sizes(pages, rng)  # first of all, as in `host_sizes`
    first = np.concatenate([[0], np.cumsum(sizes)])
    host = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    state = rng.choice(np.arange(4, dtype=np.int8), pages, p=SHARES)
    state[first[:-1]] = FETCHED  # home pages come first
    source, target = _links(first, host, state, rng)
    weight = rng.choice(np.array(WEIGHTS, dtype=np.float32), len(source), p=WEIGHT_SHARES)
    strength = np.bincount(source, weight, pages) + np.bincount(target, weight, pages)
    feed = np.zeros(pages, dtype=bool)
    fetched = np.flatnonzero(state == FETCHED)
    feed[rng.choice(fetched, max(1, int(len(sizes) * FEEDS_A_HOST)), replace=False)] = True
    reward = rng.pareto(1.2, pages) * 0.05
    reward[state == FETCHED] += rng.choice(
        [0.0, 1.0, 10.0], (state == FETCHED).sum(), p=[0.7, 0.2, 0.1]
    )
    reward[feed] += 10
    return Web(
        first=first,
        host=host,
        state=state,
        reward=reward,
        depth=rng.integers(1, 9, pages, dtype=np.int8),
        feed=feed,
        source=source,
        target=target,
        weight=weight,
        strength=strength,
        in_links=np.bincount(target, minlength=pages),
    )


def host_sizes(pages: int, seed: int) -> Numbers:
    """Return how many pages each host of `make` with these arguments has."""
    return _host_sizes(pages, np.random.default_rng(seed))


def _host_sizes(pages: int, rng: np.random.Generator) -> Numbers:
    """Return pages of each host: a few have very many, most have few, all have some."""
    hosts = max(70, pages // PAGES_A_HOST)
    wished = np.minimum(rng.pareto(1.3, hosts) + 0.05, 300)
    sizes = np.maximum(2, (wished / wished.sum() * pages).astype(np.int64))
    sizes[sizes.argmax()] += pages - sizes.sum()
    rng.shuffle(sizes)
    return sizes


def _links(
    first: Numbers, host: Numbers, state: Numbers, rng: np.random.Generator
) -> tuple[Numbers, Numbers]:
    pages = len(host)
    fetched = np.flatnonzero(state == FETCHED)
    links = np.minimum((rng.pareto(2.2, len(fetched)) + 0.25) * LINKS_A_PAGE * 1.15, 1000).astype(
        np.int64
    )
    wanted = LINKS_A_PAGE * len(fetched)
    links = np.maximum(1, (links * (1.25 * wanted / links.sum())).astype(np.int64))  # some twice
    source = np.repeat(fetched, links)
    stays = rng.random(len(source)) < STAYS
    begin = np.where(stays, first[host[source]], 0)
    size = np.where(stays, first[host[source] + 1] - first[host[source]], pages)
    skewed = rng.random(len(source)) ** np.where(stays, 2, 4)
    near = (begin + skewed * size).astype(np.int64)
    spread = _spread(near, pages)  # the favourites of the whole web lie on many hosts
    target = np.where(stays, near, spread)
    pairs = np.unique(source * pages + target)
    source, target = pairs // pages, pairs % pages
    kept = np.flatnonzero(source != target)
    if len(kept) > wanted:
        kept = np.sort(rng.choice(kept, wanted, replace=False))
    return source[kept].astype(np.int32), target[kept].astype(np.int32)


def _spread(number: Numbers, pages: int) -> Numbers:
    """Return other numbers below `pages`, each number its own."""
    factor = 2_654_435_761 % pages
    while np.gcd(factor, pages) != 1:
        factor += 1
    return number * factor % pages
