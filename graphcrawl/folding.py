"""Folds pages into the one that stands for them: where they redirect, or their canonical form.

The reward of an *alias* and the axons of its links, in both directions, gather on its
*representative*. What was written stays as `ALIAS_AXON`, so that all can be given back: where the
target of a canonical fails or says otherwise, where a redirect ends. Nothing here makes or loses
reward. A canonical is advice: it is followed when its target is there, holds content and does not
name the page in return; else the page stands for itself.

Source: RFC 6596 §3–5; RFC 9110 §15.4; [000.graph].
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphcrawl.graph import Row
from graphcrawl.models import Fetched, NotFetched, Outcome, Redirected
from graphcrawl.settle import links_of

MAX_ROUNDS = 6  # of pages that follow a page that is freed; redirects in a row are five at most

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """What folding has to know of one page."""

    url: str
    host: str = ""
    reward: float = 0.0  # points
    handed_over: float = 0.0  # points that its representative had of it
    alias_of: str | None = None
    digest: str | None = None
    feed_url: str | None = None
    fetched: bool = False  # its content is known
    pruned: bool = False
    seed: bool = False
    redirect: str | None = None  # where it redirects
    canonical: str | None = None  # what it names as its canonical form


@dataclass(frozen=True, slots=True)
class RawLink:
    """A link as a page states it; while one of its ends is an alias, an axon carries it."""

    source: str
    target: str
    properties: Row
    source_of: str | None = None  # what stands for its ends, in the graph as it is
    target_of: str | None = None
    is_axon: bool = True  # else another axon carries it


@dataclass(slots=True)
class Changes:
    """What to write, in plain rows."""

    pages: list[Row] = field(default_factory=list)
    put_axons: list[Row] = field(default_factory=list)
    drop_axons: list[Pair] = field(default_factory=list)
    put_alias_axons: list[Row] = field(default_factory=list)
    drop_alias_axons: list[Pair] = field(default_factory=list)


class Store(Protocol):
    """What folding reads and writes; `fold_rows` has Neo4j's, `memory_fold` its twin."""

    async def facts(self, urls: Collection[str]) -> dict[str, Facts]:
        """Return facts by URL, of the pages that exist."""

    async def claimants(self, urls: Collection[str]) -> list[tuple[str, bool]]:
        """Return what points to these pages, and whether by a redirect."""

    async def followers(self, urls: Collection[str]) -> dict[str, str]:
        """Return the aliases of these representatives, each with its representative."""

    async def links(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that are axons themselves."""

    async def carried(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that another axon carries."""

    async def between(self, pairs: Collection[Pair]) -> dict[Pair, Row]:
        """Return the properties of the axons between pairs of pages."""

    async def write(self, changes: Changes) -> list[str]:
        """Write; return the hosts whose best priority may have changed."""


def decide(pages: Mapping[str, Facts], judged: Iterable[str]) -> dict[str, str | None]:
    """Return what stands for each of the judged pages; None where it stands for itself.

    Redirects come first, since a canonical may lead through one. A pointer that would close a
    circle is not followed.

    Args:
        pages: The judged pages, what they point to, and what stands for that.
        judged: URLs of pages whose pointers are to be looked at.
    """
    judged = sorted(set(judged) & pages.keys(), key=lambda u: (not pages[u].redirect, u))
    standing = {f.url: f.alias_of for f in pages.values() if f.alias_of}
    for url in judged:
        standing.pop(url, None)

    def find(url: str) -> str:
        for _ in range(len(standing) + 1):
            if (following := standing.get(url)) is None:
                break
            url = following
        return url

    for url in judged:
        page = pages[url]
        target = pages.get(page.redirect or page.canonical or "")
        if target is None or target.pruned:
            continue
        end = find(target.url)
        if end != url and (page.redirect or _follows(page, target, pages.get(end))):
            standing[url] = end
    return {url: find(url) if url in standing else None for url in judged}


def _follows(page: Facts, target: Facts, end: Facts | None) -> bool:
    """Whether a page's word that another is its canonical form is taken.

    Every page of a site that names the home page is a common mistake: such a word counts only where
    both have the same bytes.
    """
    if not page.fetched or page.feed_url or end is None or not end.fetched or end.pruned:
        return False
    if target.canonical == page.url and not target.redirect:
        return False
    return not is_home(end.url) or page.digest == end.digest or is_home(page.url.partition("?")[0])


def is_home(url: str) -> bool:
    """Whether a canonical URL is the home page of its host."""
    return url.split("/", 3)[3] == ""


def carry(links: Sequence[RawLink], moved: Mapping[str, str | None]) -> "Carried":
    """Return what becomes of links once other pages stand for their ends.

    Args:
        links: Each once.
        moved: Pages for which another page stands now, or none any more.
    """
    carried = Carried()
    for link in links:
        pair = link.source, link.target
        before = link.source_of or link.source, link.target_of or link.target
        ends = _end(link.source, before[0], moved), _end(link.target, before[1], moved)
        if ends == (pair if link.is_axon else before):
            continue
        if link.is_axon:
            carried.own[pair] = None
            kept = {key: value for key, value in link.properties.items() if key != "aliases"}
            carried.stated.append(_row(pair, kept))
        elif before[0] != before[1]:
            carried.more[before] += -1
        if ends == pair:
            carried.own[pair] = link.properties
            carried.unstated.append(pair)
        elif ends[0] != ends[1]:
            carried.more[ends] += 1
            carried.sample.setdefault(ends, link.properties)
    return carried


@dataclass(slots=True)
class Carried:
    """What `carry` found."""

    stated: list[Row] = field(default_factory=list)  # links that are axons no more
    unstated: list[Pair] = field(default_factory=list)  # links that are axons again
    more: dict[Pair, int] = field(default_factory=lambda: defaultdict(int))  # links for an axon
    own: dict[Pair, Row | None] = field(default_factory=dict)  # the page's own link, or none now
    sample: dict[Pair, Row] = field(default_factory=dict)  # a link that a new axon carries

    def axon(self, pair: Pair, old: Row | None) -> Row | None:
        """Return an axon as it is to be, or None where nothing is left of it.

        An axon that only carries others' links has `links` 0 and the weight of the first of them:
        repetition raises no weight. Source: [000.graph].
        """
        aliases = (old or {}).get("aliases", 0) + self.more.get(pair, 0)
        own = self.own[pair] if pair in self.own else old if old and old["links"] else None
        if own is None and aliases <= 0:
            return None
        shown = own or (old or self.sample[pair]) | {"links": 0}
        kept = {key: value for key, value in shown.items() if key != "aliases"}
        return kept | ({"aliases": aliases} if aliases > 0 else {})


async def fold(store: Store, judged: Collection[str], touched: Collection[str] = ()) -> list[str]:
    """Look at where pages point, and gather on their representatives what is to be there.

    Args:
        store: The graph, inside a transaction that no other recorder can disturb.
        judged: Pages of which the pointer, or what it points to, may have changed.
        touched: Aliases that may have got axons or reward of their own.

    Returns:
        Hosts whose best priority may have changed.
    """
    pages = await _around(store, {*judged, *touched})
    judged, moved = await _move(store, set(judged), pages)
    gather = {
        url
        for url in touched
        if url in pages and (end := pages.get(pages[url].alias_of or "")) and not end.pruned
    } - moved.keys()
    if not moved and not gather:
        return []
    links = await store.links({*moved, *gather})
    if moved:
        links += await store.carried(moved.keys())
    carried = carry(links, moved)
    pairs = carried.more.keys() | carried.own.keys()
    changes = Changes(put_alias_axons=carried.stated, drop_alias_axons=carried.unstated)
    strength: dict[str, float] = defaultdict(float)
    in_links: dict[str, int] = defaultdict(int)
    old_axons = await store.between(pairs) if pairs else {}
    for pair in sorted(pairs):
        old = old_axons.get(pair)
        new = carried.axon(pair, old)
        if new is not None:
            changes.put_axons.append(_row(pair, new))
        elif old is not None:
            changes.drop_axons.append(pair)
        weight = (new["weight"] if new else 0.0) - (old["weight"] if old else 0.0)
        for url in pair:
            strength[url] += weight
        in_links[pair[1]] += (new is not None) - (old is not None)
    standing = {url: moved.get(url, page.alias_of) for url, page in pages.items()}
    ends = {end for end in standing.values() if end} | strength.keys()
    pages |= await store.facts(ends - pages.keys())
    reward, handed = _hand_over(pages, moved, gather)
    concerned = moved.keys() | gather | reward.keys() | strength.keys()
    seeds = {standing.get(url) for url in moved.keys() | gather if pages[url].seed}
    changes.pages = [
        {
            "url": url,
            "aliasOf": moved.get(url, pages[url].alias_of),
            "reward": reward.get(url, 0.0),
            "handedOver": handed.get(url, pages[url].handed_over),
            "strength": strength.get(url, 0.0),
            "inLinks": in_links.get(url, 0),
            "seed": url in seeds,
        }
        for url in sorted(concerned)
        if url in pages
    ]
    return await store.write(changes)


def pointers(settled: Iterable[Outcome], max_redirects: int) -> list[Row]:
    """Return what fetched and redirecting pages point to; no row for what was not fetched."""
    rows = []
    for outcome in settled:
        row: Row = {"url": outcome.claim.url, "redirect": None, "canonical": None, "raw": None}
        match outcome.fetch:
            case Redirected():
                for link in links_of(outcome, max_redirects)[0]:
                    row |= {"redirect": link.url, "raw": link.raw or None}
            case Fetched():
                page = outcome.page
                if page and not page.feed and page.canonical != outcome.claim.url:
                    row |= {"canonical": page.canonical or None}
            case NotFetched():
                continue
        rows.append(row)
    return rows


async def claiming(store: Store, urls: Collection[str]) -> set[str]:
    """Return what names these pages as its canonical form, also by way of redirects."""
    found: set[str] = set()
    seen = todo = set(urls)
    for _ in range(MAX_ROUNDS):
        claimants = await store.claimants(todo) if todo else []
        found |= {url for url, redirects in claimants if not redirects}
        todo = {url for url, redirects in claimants if redirects} - seen
        seen = seen | todo
    return found


async def _around(store: Store, urls: Collection[str]) -> dict[str, Facts]:
    """Return the facts of pages, of what they point to, and of what stands for either."""
    pages = await store.facts(urls) if urls else {}
    for _ in range(2):
        beyond = {
            url for page in pages.values() for url in (page.redirect, page.canonical, page.alias_of)
        }
        missing = {url for url in beyond if url} - pages.keys()
        if missing:
            pages |= await store.facts(missing)
    return pages


async def _move(
    store: Store, judged: set[str], pages: dict[str, Facts]
) -> tuple[set[str], dict[str, str | None]]:
    """Return all pages that had to be judged, and those for which something else stands now."""
    for _ in range(MAX_ROUNDS):
        standing = decide(pages, judged)
        freed = {url for url, end in standing.items() if pages[url].alias_of not in (None, end)}
        claimants = await store.claimants(freed) if freed else []
        behind = {url for url, _ in claimants} - judged
        around = await _around(store, behind) if behind else {}
        behind = {url for url in behind if url in around and around[url].alias_of}
        if not behind:
            break
        pages |= {url: facts for url, facts in around.items() if url not in pages}
        judged |= behind
    moved = {url: end for url, end in standing.items() if end != pages[url].alias_of}
    folded = {url: end for url, end in moved.items() if end}
    if folded:
        followers = await store.followers(folded.keys())
        follow = {url: folded[end] for url, end in followers.items() if url not in standing}
        pages |= await store.facts(follow.keys() - pages.keys()) if follow else {}
        moved |= follow
    return judged, moved


def _hand_over(
    pages: Mapping[str, Facts], moved: Mapping[str, str | None], gather: Collection[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return what to add to each page's reward, and what each alias has handed over by now.

    A page that stands for itself again gets back what it handed over, as far as that is still
    there: distribution and forgetting have had their part of it meanwhile.
    """
    balance = {url: page.reward for url, page in pages.items()}
    handed = {url: page.handed_over for url, page in pages.items() if page.alias_of}
    followed: dict[str, float] = defaultdict(float)  # handed over by those that follow a page
    for url in sorted(moved):
        if (old := pages[url].alias_of) is None or old not in balance:
            continue
        if old in moved and moved[old] is not None and moved[old] == moved[url]:
            followed[old] += handed[url]  # it goes along with what stood for it
            continue
        back = min(handed[url], max(balance[old], 0.0))
        balance[url] += back
        balance[old] -= back
        handed[url] = 0.0
    for url in sorted({*moved, *gather}):
        end = moved.get(url, pages[url].alias_of)
        if end is None or end not in balance:
            continue
        points, balance[url] = balance[url], 0.0
        balance[end] += points
        handed[url] = handed.get(url, 0.0) + max(points - followed[url], 0.0)
    changed = {url: balance[url] - page.reward for url, page in pages.items()}
    return {url: points for url, points in changed.items() if points}, handed


def _end(url: str, before: str, moved: Mapping[str, str | None]) -> str:
    return (moved[url] or url) if url in moved else before


def _row(pair: Pair, properties: Row) -> Row:
    return {"source": pair[0], "target": pair[1], "properties": properties}
