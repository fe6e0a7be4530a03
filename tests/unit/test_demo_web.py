"""The generated web: reproducible, whole, varied, and a task that reward order solves."""

import gzip
import hashlib
import os
import re
import subprocess
import sys
from functools import cache
from urllib.parse import urlsplit

import pytest
from crawl_demo import Browser, breadth_first, by_reward, requests_until_all_feeds
from lxml import etree
from protego import Protego

from graphcrawl.demo.feeds import DELIVERIES, FORMS
from graphcrawl.demo.model import Resource
from graphcrawl.demo.web import Web, generate
from graphcrawl.errors import UsageError

SEEDS = range(10)
SIZES = (300, 400, 700)
PORT = 8088


@cache
def web_of(seed: int, pages: int) -> Web:
    return generate(seed, pages, PORT)


@cache
def browser_of(seed: int, pages: int) -> Browser:
    return Browser(web_of(seed, pages))


@pytest.fixture(params=[(seed, pages) for pages in SIZES for seed in (1, 2, 3)], ids=str)
def web(request: pytest.FixtureRequest) -> Web:
    return web_of(*request.param)


@pytest.fixture
def browser(web: Web) -> Browser:
    return browser_of(web.seed, web.pages_total)


@pytest.fixture(scope="module")
def default() -> Web:
    return generate(port=PORT)


def resource_of(web: Web, url: str) -> Resource:
    parts = urlsplit(url)
    return web.answer(parts.hostname or "", url.partition(parts.netloc)[2])


def test_is_the_same_for_the_same_seed_in_any_process() -> None:
    script = (
        "import hashlib; from graphcrawl.demo.web import generate; w = generate(7, 300, 80);"
        "print(hashlib.sha256(repr(w).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for hash_seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(repr(generate(7, 300, 80)).encode()).hexdigest()}


def test_differs_by_seed() -> None:
    assert len(set(web_of(1, 400).hosts) & set(web_of(2, 400).hosts)) < 5
    assert web_of(1, 400).feeds != web_of(2, 400).feeds


def test_has_what_a_demo_needs(web: Web) -> None:
    assert len(web.hosts) >= 10
    assert len(web.feeds) >= 6
    assert len(web.decoys) >= 5
    assert {feed.form for feed in web.feeds} == set(FORMS)
    assert {feed.delivery for feed in web.feeds} == set(DELIVERIES)
    assert len({feed.url for feed in web.feeds}) == len(web.feeds)
    assert {r.status for r in web.resources.values()} >= {200, 301, 302, 404, 410, 500}
    assert any(r.delay_s for r in web.resources.values())
    assert any(".taleo.example" in host for host in web.hosts)


def test_breadth_first_reaches_every_page_and_nothing_else(web: Web, browser: Browser) -> None:
    wanted = {web.url(*key) for key, r in web.resources.items() if r.role == "page"}
    reached = breadth_first(browser)
    assert set(reached) == wanted
    assert len(reached) == len(wanted) == web.pages_total


@pytest.mark.parametrize("pages", [300, 301, 349, 350, 399, 1234])
def test_has_exactly_as_many_pages_as_asked_for(pages: int) -> None:
    assert generate(5, pages, PORT).pages_total == pages


@pytest.mark.parametrize("pages", [-1, 0, 299, 20_001])
def test_refuses_sizes_that_it_cannot_build(pages: int) -> None:
    with pytest.raises(UsageError, match=str(pages)) as error:
        generate(1, pages)
    assert "--pages" in error.value.hint


def test_pages_link_to_what_robots_close(web: Web, browser: Browser) -> None:
    closed = {key for key, r in web.resources.items() if r.role == "closed"}
    linked = {t for url in breadth_first(browser) for t in browser.get(url).links}
    assert closed
    assert {web.url(*key) for key in closed} <= linked


def test_robots_close_what_is_marked_as_closed_and_nothing_else(web: Web) -> None:
    for (host, path), resource in web.resources.items():
        rules = web.answer(host, "/robots.txt")
        if rules.status == 200:
            allowed = Protego.parse(rules.body.decode()).can_fetch(web.url(host, path), "anyone")
            assert allowed == (resource.role != "closed"), (host, path)
        else:
            assert resource.role != "closed"


def test_calendar_never_ends(default: Web) -> None:
    (url, *_) = (default.url(h, p) for h, p in default.resources if p == "/calendar/")
    browser, visited = Browser(default), set[str]()
    for _ in range(200):
        visited.add(url)
        url = max(u for u in browser.get(url).links if re.search(r"/calendar/\d{4}/\d\d/$", u))
        assert browser.get(url).role == "trap"
    assert len(visited) == 200


@pytest.mark.parametrize("path", ["/calendar/2026/13/", "/calendar/26/1/", "/calendar/0000/01/"])
def test_calendar_has_no_impossible_months(default: Web, path: str) -> None:
    (host, *_) = (host for host, p in default.resources if p == "/calendar/")
    assert default.answer(host, path).status == 404


def test_feeds_hold_their_jobs_as_served(web: Web) -> None:
    record = {
        "rss": "item",
        "atom": "entry",
        "hr-xml": "JobPositionPosting",
        "source-job": "job",
        "jobs-job": "job",
    }
    root = {
        "rss": "rss",
        "atom": "feed",
        "hr-xml": "JobPositionPostings",
        "source-job": "source",
        "jobs-job": "jobs",
    }
    for feed in web.feeds:
        resource = resource_of(web, feed.url)
        body = resource.body
        assert (body[:3] == b"\xef\xbb\xbf") == (feed.delivery == "bom")
        assert ("html" in resource.content_type) == (feed.delivery == "mislabelled")
        assert (body[:2] == b"\x1f\x8b") == (feed.delivery == "gz")
        tree = etree.fromstring(gzip.decompress(body) if feed.delivery == "gz" else body)
        assert etree.QName(tree).localname == root[feed.form]
        assert len(tree.findall(f".//{{*}}{record[feed.form]}")) == feed.jobs >= 2
        assert len(feed.aliases) == (feed.delivery in ("redirected", "duplicated"))
        for alias in feed.aliases:
            other = resource_of(web, alias)
            moved = alias.removesuffix(urlsplit(alias).path) + other.location
            assert other.body == body or moved == feed.url


def test_decoys_are_well_formed_and_speak_of_no_work(web: Web) -> None:
    for url in web.decoys:
        tree = etree.fromstring(resource_of(web, url).body)
        words = set(re.findall(r"\w+", " ".join(map(str, tree.itertext())).lower()))
        assert not words & {"job", "jobs", "salary", "employer"}, url


def test_most_pages_earn_nothing(browser: Browser) -> None:
    grants = [browser.get(url).grants for url in breadth_first(browser)]
    assert sum(g == 0 for g in grants) > 0.5 * len(grants)
    assert any(g >= 10 for g in grants)


@pytest.mark.parametrize("pages", SIZES)
@pytest.mark.parametrize("seed", SEEDS)
def test_reward_order_finds_all_feeds_in_half_of_the_pages(seed: int, pages: int) -> None:
    web = web_of(seed, pages)
    browser = browser_of(seed, pages)
    assert requests_until_all_feeds(web, iter(breadth_first(browser))) > pages / 2
    for lanes in (1, 16):  # pure order, and one request at a time to each of 16 hosts
        assert requests_until_all_feeds(web, by_reward(browser, lanes=lanes)) <= pages / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_reward_order_does_so_without_a_look_at_the_links(seed: int) -> None:
    web = web_of(seed, 400)
    order = by_reward(browser_of(seed, 400), lanes=1, hints=False)
    assert requests_until_all_feeds(web, order) <= 200
