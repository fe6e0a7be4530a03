"""The demo's generated webs as recorded webs; what is looked for is job feeds."""

from collections import Counter, deque

import numpy as np
from ordering.see import count_terms, fetched, with_surroundings
from ordering.web import MISSING, REDIRECT, SeenLink, SeenPage, Task, Web, record

from graphcrawl.demo.web import Web as DemoWeb
from graphcrawl.demo.web import generate
from graphcrawl.parse import parse
from graphcrawl.readers import ReadOptions, read_page
from graphcrawl.scoring.reward import load_rules
from graphcrawl.urls import Scope, canonical, refusal

SIZES = (600, 2000, 6000)  # pages
TUNE_SEEDS = (4101, 4102)
REPORT_SEEDS = (4201, 4202)  # settings were never chosen on these
TINY_SIZE, TINY_SEED = 300, 4301  # for a look in seconds, and for CI
_BEYOND_ENTRANCE = 100  # pages of each endless calendar


def build(seed: int, pages: int) -> tuple[Web, Task]:
    """Generate a web and visit all of it that a polite crawl may visit."""
    demo = generate(seed, pages)
    options = ReadOptions(load_rules("jobs"), Scope.of(demo.seeds, "any"), text="none")
    seen: list[SeenPage] = []
    known, todo = set(demo.seeds), deque(demo.seeds)
    trapped: Counter[str] = Counter()
    while todo:
        url = todo.popleft()
        page = _visit(demo, url, options)
        host, path = url.split("/", 3)[2], "/" + url.split("/", 3)[3]
        if (host, path) not in demo.resources and page.kind != MISSING:
            trapped[host] += 1
            if trapped[host] > _BEYOND_ENTRANCE:
                continue
        seen.append(page)
        for link in page.links:
            if link.url not in known and not _is_closed(demo, link.url):
                known.add(link.url)
                todo.append(link.url)
    web = record(f"jobs-{pages}-{seed}", seen)
    return web, _task(web, demo, seed)


def _visit(demo: DemoWeb, url: str, options: ReadOptions) -> SeenPage:
    host, path = url.split("/", 3)[2:]
    answer = demo.answer(host, "/" + path)
    nothing = count_terms("")
    if answer.location:
        target = canonical(answer.location, url) or url
        return SeenPage(url, [SeenLink(target)], nothing, kind=REDIRECT)
    if answer.status >= 400:
        return SeenPage(url, [], nothing, kind=MISSING)
    media, _, rest = answer.content_type.partition(";")
    body = fetched(url, answer.body, media.strip(), rest.partition("charset=")[2])
    page, document = read_page(body, 0, options), parse(body)
    terms = count_terms(f"{page.title} {document.text}")
    return SeenPage(
        url,
        with_surroundings(url, document.markup, page.links),
        terms,
        int(terms[1].sum()),
        points=sum(grant.points for grant in page.grants),
        feed=page.feed is not None,
    )


def _is_closed(demo: DemoWeb, url: str) -> bool:
    host, path = url.split("/", 3)[2:]
    known = demo.resources.get((host, "/" + path))
    return refusal(url) is not None or (known is not None and known.role in ("closed", "aside"))


def _task(web: Web, demo: DemoWeb, seed: int) -> Task:
    place = {url: n for n, url in enumerate(web.urls)}
    same = np.full(len(web), -1)
    for number, feed in enumerate(demo.feeds):
        for url in (feed.url, *feed.aliases):
            if url in place and web.kind[place[url]] != REDIRECT:
                same[place[url]] = number
    worth = np.where(web.feed, 1.0, 1 - np.exp(-web.points / 10))
    return Task(
        name=web.name,
        group="tune" if seed in TUNE_SEEDS else "report",
        seeds=np.array([place[url] for url in demo.seeds]),
        examples=np.zeros(0, np.int64),
        target=same >= 0,
        worth=worth,
        topic_hint=np.zeros(len(web.targets)),
        same=same,
    )


