"""Crawls of a generated web without server or graph: breadth first, and by reward.

Written from the sources, not from graphcrawl's own code, so that the two can disagree: rules
[000.evaluate], distribution [000.distribute, 000.forget], newborns [000.newborn] and order
[000.order].
"""

import gzip
import heapq
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urljoin, urlsplit

from graphcrawl.demo.web import Web

_ANCHOR = re.compile(r"<a\b[^>]*\bhref=\"([^\"]+)\"[^>]*>(.*?)</a>", re.S)
_ALTERNATE = re.compile(r"<link rel=\"alternate\"[^>]*title=\"([^\"]*)\" href=\"([^\"]+)\"")
_ELEMENT = re.compile(
    r"<(?:link|loc|url|URL)>(?:<!\[CDATA\[)?\s*(http[^<\]\s]+)|<link href=\"([^\"]+)\"/>"
)
_BOILERPLATE = re.compile(r"<(header|footer|aside)>.*?</\1>", re.S)
_PAGES_A_DISTRIBUTION = 50
_WORD_RULES = dict.fromkeys(("job", "jobs", "career", "hr"), 1.0)
_SYSTEM_RULES = dict.fromkeys(("hrms", "taleo", "jobvite", "icims"), 10.0)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one request showed."""

    url: str
    status: int
    role: str
    links: dict[str, tuple[float, bool]]  # by target: weight, whether it looks like a job feed
    grants: float  # points of the words and systems on the page


class Browser:
    """Requests resources of a web; every page is parsed once."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self._seen: dict[str, Seen] = {}

    def get(self, url: str) -> Seen:
        if url not in self._seen:
            self._seen[url] = self._read(url)
        return self._seen[url]

    def _read(self, url: str) -> Seen:
        links: dict[str, tuple[float, bool]]
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        resource = self.web.answer(parts.hostname or "", path)
        if resource.location:
            target = urljoin(url, resource.location)
            return Seen(
                url,
                resource.status,
                resource.role,
                {target: (1.0, _looks_like_job_feed(target, ""))},
                0.0,
            )
        body = resource.body
        text = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode("utf-8-sig")
        links = {}
        for href, anchor, weight in _links(text):
            target = urljoin(url, unescape(href)).partition("#")[0]
            if target != url and target not in links:
                links[target] = (weight, _looks_like_job_feed(href, anchor))
        visible = re.sub(r"<[^>]+>", " ", text)
        words = set(re.findall(r"\w+", unescape(visible).lower()))
        places = words | set(re.findall(r"\w+", " ".join(links)))
        grants = sum(points for word, points in _WORD_RULES.items() if word in words)
        grants += sum(points for word, points in _SYSTEM_RULES.items() if word in places)
        return Seen(url, resource.status, resource.role, links, grants)


def breadth_first(browser: Browser) -> list[str]:
    """Return all URLs of a polite crawl, breadth first; of the calendar, its entrance."""
    seeds = browser.web.seeds
    order, waiting, known = [], deque(seeds), set(seeds)
    while waiting:
        seen = browser.get(waiting.popleft())
        order.append(seen.url)
        for target in seen.links:
            if target not in known and browser.get(target).role == "page":
                known.add(target)
                waiting.append(target)
    return order


@dataclass
class Graph:
    """Neurons, axons and rewards, in plain dictionaries."""

    feed_urls: dict[str, str]  # every URL that leads to a feed: where its content is
    reward: dict[str, float]
    hinted: set[str] = field(default_factory=set)
    axons: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    sources: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    fetched: set[str] = field(default_factory=set)
    paid: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # by feed

    def priority(self, url: str) -> float:
        return self.reward[url] + (100.0 if url in self.hinted else 0.0)

    def record(self, seen: Seen) -> list[str]:
        """Take in a page; return the newborns."""
        url, newborns = seen.url, []
        self.fetched.add(url)
        self.reward[url] += seen.grants
        total = sum(weight for weight, _ in seen.links.values())
        for target, (weight, hinted) in seen.links.items():
            if target not in self.reward:
                self.reward[target] = 0.10 * self.reward[url] * weight / total
                newborns.append(target)
            if hinted:
                self.hinted.add(target)
            self.axons[url][target] = self.axons[url].get(target, 0.0) + weight
            self.axons[target][url] = self.axons[target].get(url, 0.0) + weight
            self.sources[target].append(url)
        if 300 <= seen.status < 400:  # its reward moves on to its target
            (target,) = seen.links
            self.reward[target] += self.reward[url]
            self.reward[url] = 0.0
        for found in self.fetched & self.feed_urls.keys() & {url, *seen.links}:
            self._pay(found)
        return newborns

    def _pay(self, found: str) -> None:
        """Pay the pages that link to a feed: 1000 to the first, 20 to each other, once."""
        paid = self.paid[self.feed_urls[found]]
        for source in self.sources[found]:
            if source not in paid:
                self.reward[source] += 20.0 if paid else 1000.0
                paid.append(source)

    def distribute(self) -> None:
        """Pass 10 % of each reward to all neighbours by weight; the giver loses 10 %."""
        received: dict[str, float] = defaultdict(float)
        for url, reward in self.reward.items():
            strength = sum(self.axons[url].values())
            for neighbour, weight in self.axons[url].items():
                received[neighbour] += 0.10 * reward * weight / strength
        for url, reward in self.reward.items():
            self.reward[url] = 0.90 * reward + received[url]


def by_reward(browser: Browser, *, lanes: int, hints: bool = True) -> Iterator[str]:
    """Yield URLs in the order in which a crawl by reward requests them.

    Args:
        browser: Of the web to crawl.
        lanes: Requests at a time, each to another host, as politeness has it; 1 is pure order.
        hints: Whether links that look like job feeds are fetched early.
    """
    web = browser.web
    graph = Graph(_feed_urls(web), dict.fromkeys(web.seeds, 100.0))
    waiting = set(web.seeds)
    while waiting:
        heads: dict[str, str] = {}
        for url in sorted(waiting):
            host = urlsplit(url).hostname or ""
            if host not in heads or graph.priority(url) > graph.priority(heads[host]):
                heads[host] = url
        for url in heapq.nlargest(lanes, heads.values(), key=graph.priority):
            waiting.discard(url)
            yield url
            newborns = graph.record(browser.get(url))
            waiting.update(u for u in newborns if browser.get(u).role != "closed")
            if not hints:
                graph.hinted.clear()
            if len(graph.fetched) % _PAGES_A_DISTRIBUTION == 0:
                graph.distribute()


def requests_until_all_feeds(web: Web, order: Iterator[str]) -> int:
    """Count requests until each job feed has been fetched at one of its URLs."""
    feed_urls = _feed_urls(web)
    redirects = {u for f in web.feeds if f.delivery == "redirected" for u in f.aliases}
    missing = {feed.url for feed in web.feeds}
    for count, url in enumerate(order, 1):
        if url not in redirects:
            missing.discard(feed_urls.get(url, ""))
        if not missing:
            return count
    raise AssertionError(f"never found: {missing}")


def _feed_urls(web: Web) -> dict[str, str]:
    return {url: feed.url for feed in web.feeds for url in (feed.url, *feed.aliases)}


def _links(text: str) -> Iterator[tuple[str, str, float]]:
    if text.startswith("<?xml"):
        for match in _ELEMENT.finditer(text):
            yield match[1] or match[2], "", 1.0
        return
    for match in _ALTERNATE.finditer(text):
        yield match[2], match[1], 1.0
    content = _BOILERPLATE.sub("", text)
    for match in _ANCHOR.finditer(content):
        yield match[1], match[2], 1.0
    for match in _ANCHOR.finditer(text):
        yield match[1], match[2], 0.5


def _looks_like_job_feed(href: str, anchor: str) -> bool:
    words = set(re.findall(r"[a-z]+", f"{href} {anchor}".lower()))
    return bool(words & {"job", "jobs"}) and bool(words & {"xml", "rss", "atom", "feed", "feeds"})
