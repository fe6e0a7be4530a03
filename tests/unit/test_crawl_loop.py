"""The loop on the memory twin, with servers and readers that are told what to do."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphcrawl.crawl import Beside, Crawl, Plan, Stats, beside, loop
from graphcrawl.crawl.listings import Listings
from graphcrawl.crawl.outcomes import judge_again
from graphcrawl.crawl.plan import Pace
from graphcrawl.errors import Neo4jUnreachableError, ReadError
from graphcrawl.frontier import Seed
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.memory import MemoryGraph
from graphcrawl.models import Fetched, FetchOutcome, Link, NotFetched, Page, Reason, Redirected
from graphcrawl.robots import Verdict
from graphcrawl.urls import Scope, canonical, host_key

SEED = "http://a.example/0"


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Web:
    """Pages by URL, each with its links; stands for fetcher, robots and readers at once."""

    pages: dict[str, list[str]]
    answers: dict[str, Callable[[str], FetchOutcome]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()
    refresh: dict[str, str] = field(default_factory=dict)
    took_s: float = 0.0
    capacity: int = 4
    scope: Scope = field(default_factory=lambda: Scope.of([SEED], "any"))
    log: list[tuple[float, str]] = field(default_factory=list)
    in_flight: Counter[str] = field(default_factory=Counter)
    most_in_flight: Counter[str] = field(default_factory=Counter)

    async def get(self, url: str) -> FetchOutcome:
        host = host_key(url)
        self.log.append((asyncio.get_running_loop().time(), url))
        for key in (host, "all"):
            self.in_flight[key] += 1
            self.most_in_flight[key] = max(self.most_in_flight[key], self.in_flight[key])
        try:
            await asyncio.sleep(self.took_s)
        finally:
            for key in (host, "all"):
                self.in_flight[key] -= 1
        if url in self.answers:
            return self.answers[url](url)
        if url not in self.pages:
            return NotFetched(url, Reason.HTTP_CLIENT, "404", now(), status=404)
        return Fetched(url, 200, url.encode(), "text/html", "", now(), self.took_s)

    async def check(self, url: str) -> Verdict:
        return self.verdicts.get(url, Verdict(allowed=True))

    async def read(self, fetched: Fetched, depth: int) -> Page:
        await asyncio.sleep(0)
        if fetched.url in self.unreadable:
            raise ReadError("cannot be read")
        links = tuple(Link(url, host_key(url)) for url in self.pages[fetched.url])
        verdicts = ((link.url, self.scope.verdict(link.url, depth + 1)) for link in links)
        excluded = tuple((u, why) for u, why in verdicts if why)
        return Page(links=links, excluded=excluded, refresh=self.refresh.get(fetched.url, ""))

    @property
    def asked(self) -> list[str]:
        return [url for _, url in self.log]


def chain(host: str, pages: int) -> dict[str, list[str]]:
    return {f"http://{host}/{n}": [f"http://{host}/{n + 1}"] for n in range(pages)}


def star(host: str, pages: int) -> dict[str, list[str]]:
    leaves = [f"http://{host}/{n}" for n in range(1, pages)]
    return {f"http://{host}/0": leaves} | {leaf: [] for leaf in leaves}


async def start(
    web: Web, plan: Plan, seeds: Iterable[str] = (SEED,), **more: Any
) -> tuple[Crawl, MemoryGraph]:
    graph = MemoryGraph()
    frontier = MemoryFrontier(graph, "w")
    await frontier.seed([Seed(url, host_key(url)) for url in seeds])
    crawl = Crawl(frontier, web, web, web, plan=plan, scope=web.scope, seeds=list(seeds), **more)
    return crawl, graph


async def run(web: Web, plan: Plan, **more: Any) -> tuple[Stats, MemoryGraph]:
    crawl, graph = await start(web, plan, **more)
    async with asyncio.timeout(30):
        return await crawl.run(), graph


def states(graph: MemoryGraph) -> Counter[str]:
    names = ("Frontier", "Leased", "Fetched", "Failed", "Excluded")
    return Counter(n for page in graph.neurons.values() for n in names if n in page["labels"])


QUICK = Plan(max_pages=0, delay_s=0.0, patience_s=0.5)


async def test_everything_reachable_is_fetched_once_and_recorded() -> None:
    web = Web(star("a.example", 60) | chain("b.example", 5))
    web.pages[SEED].append("http://b.example/0")
    stats, graph = await run(web, QUICK)
    assert stats.stop_reason == "done"
    assert Counter(web.asked) == Counter([*web.pages, "http://b.example/5"])
    assert states(graph) == {"Fetched": 65, "Failed": 1}
    assert stats.pages == 65
    assert stats.failures == {"http-4xx": 1}


@pytest.mark.parametrize("limit", [1, 7, 40])
async def test_the_budget_counts_requests_and_is_never_overrun(limit: int) -> None:
    web = Web(star("a.example", 100))
    stats, graph = await run(web, Plan(max_pages=limit, delay_s=0.0))
    assert stats.stop_reason == "pages"
    assert len(web.asked) == stats.requests == limit
    assert "Leased" not in states(graph)


async def test_robots_cost_no_budget_and_are_recorded() -> None:
    web = Web(star("a.example", 10))
    for n in range(1, 6):
        web.verdicts[f"http://a.example/{n}"] = Verdict(allowed=False, reason=Reason.ROBOTS)
    stats, graph = await run(web, Plan(max_pages=5, delay_s=0.0))
    assert len(web.asked) == 5
    assert stats.requests == 5
    assert states(graph)["Excluded"] == 5 or states(graph)["Frontier"]


async def test_one_request_in_flight_a_host_and_the_delay_between_two() -> None:
    web = Web(star("a.example", 5) | star("b.example", 5), took_s=0.01)
    plan = Plan(max_pages=0, delay_s=0.05, patience_s=0.5)
    await run(web, plan, seeds=[SEED, "http://b.example/0"])
    assert web.most_in_flight["a.example"] == web.most_in_flight["b.example"] == 1
    for host in ("a.example", "b.example"):
        times = [at for at, url in web.log if host_key(url) == host]
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert len(gaps) == 4
        assert min(gaps) >= 0.06 - 0.002  # the fetch, then the delay


async def test_per_host_and_concurrency_are_limits() -> None:
    web = Web(star("a.example", 60) | star("b.example", 60), took_s=0.005)
    plan = Plan(max_pages=0, delay_s=0.0, per_host=4, concurrency=6, patience_s=0.5)
    await run(web, plan, seeds=[SEED, "http://b.example/0"])
    assert max(web.most_in_flight["a.example"], web.most_in_flight["b.example"]) == 4
    assert 4 < web.most_in_flight["all"] <= 6


async def test_a_host_may_have_a_pace_of_its_own() -> None:
    web = Web(star("a.example", 12) | star("b.example", 12), took_s=0.02)
    own = {"a.example": Pace(0.1, 1), "b.example": Pace(0.0, 3)}
    plan = Plan(max_pages=0, delay_s=0.01, hosts=own, patience_s=0.5)
    await run(web, plan, seeds=[SEED, "http://b.example/0"])
    assert (web.most_in_flight["a.example"], web.most_in_flight["b.example"]) == (1, 3)
    times = [at for at, url in web.log if host_key(url) == "a.example"]
    assert min(b - a for a, b in itertools.pairwise(times)) >= 0.12 - 0.002
    assert len(web.asked) == len(web.pages)


async def test_a_crawl_delay_lengthens_ours() -> None:
    web = Web(star("a.example", 3))
    for url in web.pages:
        web.verdicts[url] = Verdict(allowed=True, crawl_delay_s=0.1)
    await run(web, QUICK)
    times = [at for at, _ in web.log]
    assert min(b - a for a, b in itertools.pairwise(times)) >= 0.1 - 0.002


async def test_the_best_page_is_fetched_first() -> None:
    web = Web(star("a.example", 4))
    seeds = {f"http://a.example/{n}": float(n) for n in range(1, 4)}
    graph = MemoryGraph()
    frontier = MemoryFrontier(graph, "w")
    await frontier.seed([Seed(url, "a.example", reward) for url, reward in seeds.items()])
    plan = Plan(max_pages=0, delay_s=0.001, patience_s=0.5)
    await Crawl(frontier, web, web, web, plan=plan, scope=web.scope, seeds=list(seeds)).run()
    assert web.asked == sorted(seeds, reverse=True)


async def test_what_cannot_be_read_fails_and_the_crawl_goes_on() -> None:
    web = Web(star("a.example", 5), unreadable=frozenset({"http://a.example/2"}))
    stats, graph = await run(web, QUICK)
    assert stats.failures == {"parse": 1}
    assert graph.neurons["http://a.example/2"]["reason"] == "parse"
    assert states(graph) == {"Fetched": 4, "Failed": 1}


async def test_a_defect_of_the_fetcher_costs_one_page() -> None:
    web = Web(star("a.example", 4))
    web.answers["http://a.example/2"] = lambda url: 1 / 0  # type: ignore[return-value]
    stats, graph = await run(web, QUICK)
    assert stats.failures == {"protocol": 1}
    assert states(graph) == {"Fetched": 3, "Failed": 1}


async def test_a_refused_page_is_tried_again_after_the_servers_wish() -> None:
    web = Web(star("a.example", 2))
    refusals = [
        NotFetched(
            "http://a.example/1",
            Reason.TOO_MANY_REQUESTS,
            "",
            now(),
            status=429,
            retry_after_s=0.2,
            retry=True,
            host_fault=True,
        )
    ]
    web.answers["http://a.example/1"] = lambda url: (
        refusals.pop() if refusals else Fetched(url, 200, b"", "text/html", "", now(), 0.0)
    )
    stats, _ = await run(web, QUICK)
    first, second = (at for at, url in web.log if url.endswith("/1"))
    assert second - first >= 0.2 - 0.002
    assert stats.stop_reason == "done"


async def test_a_host_that_wants_a_long_pause_ends_the_run_and_its_page_waits() -> None:
    web = Web(star("a.example", 3))
    web.answers["http://a.example/1"] = lambda url: NotFetched(
        url, Reason.HTTP_SERVER, "", now(), status=503, retry_after_s=3600.0, retry=True
    )
    stats, graph = await run(web, QUICK)
    assert stats.stop_reason == "hosts"
    assert stats.next_due_s is not None
    assert stats.next_due_s > 3500
    assert "Frontier" in graph.neurons["http://a.example/1"]["labels"]


async def test_an_unreachable_robots_file_puts_the_page_off() -> None:
    web = Web(star("a.example", 1))
    later = now() + timedelta(hours=1)
    web.verdicts[SEED] = Verdict(False, Reason.ROBOTS_UNREACHABLE, "503", retry_at=later)
    stats, graph = await run(web, QUICK)
    assert stats.requests == 0
    assert stats.stop_reason == "hosts"
    assert states(graph) == {"Frontier": 1}


async def test_a_dead_scheme_does_not_hold_up_the_rest_of_its_host() -> None:
    web = Web(star("a.example", 5))
    dead = [f"https://a.example/{n}" for n in range(3)]
    web.pages[SEED] = [*dead, *web.pages[SEED]]
    later = now() + timedelta(hours=1)
    for url in dead:
        web.verdicts[url] = Verdict(False, Reason.ROBOTS_UNREACHABLE, "no answer", retry_at=later)
    stats, graph = await run(web, QUICK)
    assert stats.pages == 5
    assert states(graph) == {"Fetched": 5, "Frontier": 3}
    assert stats.stop_reason == "hosts"


async def test_a_seeds_redirect_widens_the_scope() -> None:
    web = Web(star("www.b.example", 3), scope=Scope.of([SEED], "host"))
    web.answers[SEED] = lambda url: Redirected(
        url, 301, "http://www.b.example/0", "http://www.b.example/0", True, now(), 0.0
    )
    stats, graph = await run(web, QUICK)
    assert stats.pages == 3
    assert states(graph) == {"Fetched": 3, "Excluded": 1}


@pytest.mark.parametrize(
    ("location", "allowed", "fetched"),
    [
        ("/0;jsessionid=4711#top", True, 1),
        ("/0;jsessionid=4711", False, 0),
        ("/%30", True, 1),
        ("/0?utm_source=x", True, 1),
        ("/0#top", True, 0),  # the same spelling: it wants a cookie
    ],
)
async def test_a_page_that_insists_on_another_spelling_is_asked_by_it(
    location: str, allowed: bool, fetched: int
) -> None:
    """Its canonical URL leads back to itself; the page is there all the same, and once."""
    spelling = f"http://a.example{location.partition('#')[0]}"
    web = Web({spelling: [], SEED: []})
    web.answers = {SEED: lambda url: Redirected(url, 302, SEED, location, False, now(), 0.0)}
    web.verdicts = {} if allowed else {spelling: Verdict(allowed=False, reason=Reason.ROBOTS)}
    stats, graph = await run(web, Plan(delay_s=0.0))
    assert (stats.pages, web.asked.count(SEED)) == (fetched, 1)
    assert web.asked.count(spelling) == (1 if fetched or spelling == SEED else 0)
    assert set(graph.neurons) == {SEED}
    reason = None if fetched else "redirect-loop" if allowed else "robots"
    assert graph.neurons[SEED].get("reason") == reason


async def test_a_page_that_sends_its_readers_on_is_a_redirect() -> None:
    web = Web(star("www.b.example", 3), scope=Scope.of([SEED], "host"))
    web.pages[SEED] = ["http://c.example/"]
    web.refresh[SEED] = "http://www.b.example/0"  # a seed's: the scope follows
    web.refresh["http://www.b.example/1"] = "http://elsewhere.example/"  # not to be fetched
    stats, graph = await run(web, QUICK)
    assert (stats.pages, stats.redirects) == (3, 1)
    seed, page = graph.neurons[SEED], graph.neurons["http://www.b.example/1"]
    assert (seed["reason"], seed["status"], seed["reward"]) == ("redirect", 200, 0.0)
    assert "Fetched" in page["labels"]  # a page that cannot be left stays one
    assert "http://c.example/" not in graph.neurons
    assert "http://elsewhere.example/" not in web.asked


async def test_a_seed_that_is_added_meanwhile_is_crawled_though_the_scope_was_narrower() -> None:
    added = "http://b.example/0"
    web = Web(
        chain("a.example", 12) | chain("b.example", 3),
        scope=Scope.of([SEED], "host"),
        took_s=0.01,
    )
    crawl, graph = await start(web, QUICK)
    running = asyncio.create_task(crawl.run())
    while len(web.log) < 3:
        await asyncio.sleep(0.005)
    await MemoryFrontier(graph, "command").seed([Seed(added, "b.example")])
    await running
    assert {url for url in web.asked if "b.example" in url} == {
        f"http://b.example/{n}" for n in range(4)
    }


async def test_any_other_redirect_stays_in_scope() -> None:
    web = Web(star("a.example", 2), scope=Scope.of([SEED], "host"))
    web.answers["http://a.example/1"] = lambda url: Redirected(
        url, 301, "http://b.example/", "http://b.example/", True, now(), 0.0
    )
    _, graph = await run(web, QUICK)
    assert "http://b.example/" not in web.asked
    assert graph.neurons["http://b.example/"]["reason"] == "scope"


async def test_a_page_that_another_worker_left_is_taken_while_this_one_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop, "OUTLOOK_EVERY_S", 0.05)
    web = Web(chain("a.example", 12) | {"http://b.example/left": []}, took_s=0.05)
    crawl, graph = await start(web, QUICK)
    other = MemoryFrontier(graph, "other")
    await other.seed([Seed("http://b.example/left", "b.example", 1000.0)])
    [lease] = await other.claim(pages=1, per_host=1, lease_s=0.1)
    assert lease.url == "http://b.example/left"
    async with asyncio.timeout(30):
        await crawl.run()
    assert "http://b.example/left" in web.asked[:-2]  # not only when nothing else was left


async def test_stop_finishes_the_pages_in_flight_and_gives_the_others_back() -> None:
    web = Web(star("a.example", 100), took_s=0.05)
    crawl, graph = await start(web, Plan(max_pages=0, delay_s=0.0, per_host=4))
    running = asyncio.create_task(crawl.run())
    while len(web.log) < 8:
        await asyncio.sleep(0.005)
    crawl.stop("interrupted")
    asked = len(web.log)
    stats = await running
    assert stats.stop_reason == "interrupted"
    assert len(web.log) == asked  # nothing new was asked for
    assert states(graph) == {"Fetched": asked, "Frontier": 100 - asked}


async def test_a_signal_waits_for_what_is_in_flight_but_not_for_long() -> None:
    web = Web(star("a.example", 5), took_s=60)
    crawl, graph = await start(web, Plan(max_pages=0, delay_s=0.0, grace_s=0.2))
    running = asyncio.create_task(crawl.run())
    while not web.log:
        await asyncio.sleep(0.005)
    crawl.stop("terminated")
    async with asyncio.timeout(10):
        stats = await running
    assert stats.stop_reason == "terminated"
    assert states(graph) == {"Frontier": 1}


async def test_abort_gives_the_pages_in_flight_back_and_the_next_run_fetches_them() -> None:
    web = Web(star("a.example", 20), took_s=0.05)
    crawl, graph = await start(web, Plan(max_pages=0, delay_s=0.0, per_host=4))
    running = asyncio.create_task(crawl.run())
    while len(web.log) < 5:
        await asyncio.sleep(0.005)
    crawl.abort()
    await running
    assert "Leased" not in states(graph)
    web.took_s = 0.0
    again = Crawl(
        MemoryFrontier(graph, "w2"), web, web, web, plan=QUICK, scope=web.scope, seeds=[SEED]
    )
    await again.run()
    assert states(graph) == {"Fetched": 20}


async def test_a_run_is_not_done_while_a_reading_of_a_dead_run_may_fall_due() -> None:
    looks = iter([True, False])

    class Readings(Listings):
        async def left_by_others(self) -> bool:
            return next(looks)

    web = Web(star("a.example", 3))
    stats, _ = await run(web, QUICK, listings=Readings(None))  # type: ignore[arg-type]
    assert stats.stop_reason == "done"
    assert next(looks, None) is None


async def test_abort_does_not_wait_for_a_reader_that_hangs() -> None:
    web = Web(star("a.example", 10))
    hangs = asyncio.Event()

    async def read(fetched: Fetched, depth: int) -> Page:
        hangs.set()
        await asyncio.Event().wait()
        raise AssertionError(fetched, depth)

    web.read = read  # type: ignore[method-assign]
    crawl, graph = await start(web, QUICK)
    running = asyncio.create_task(crawl.run())
    await hangs.wait()
    crawl.stop("interrupted")
    await asyncio.sleep(0.05)
    assert not running.done()
    crawl.abort()
    async with asyncio.timeout(2):
        stats = await running
    assert stats.stop_reason == "interrupted"
    assert states(graph) == {"Frontier": 1}


async def test_a_time_limit_ends_the_run() -> None:
    web = Web(chain("a.example", 10_000), took_s=0.001)
    stats, graph = await run(web, Plan(max_pages=0, max_time_s=0.3, delay_s=0.0))
    assert stats.stop_reason == "time"
    assert "Leased" not in states(graph)


async def test_a_broken_graph_ends_the_run_with_its_error() -> None:
    web = Web(star("a.example", 500))
    crawl, _ = await start(web, QUICK)

    async def broken(*_: Any) -> None:
        raise Neo4jUnreachableError("gone", "graphcrawl db up")

    crawl._frontier.record = broken  # type: ignore[method-assign,assignment]
    async with asyncio.timeout(20):
        with pytest.raises(Neo4jUnreachableError, match="gone"):
            await crawl.run()


async def test_work_beside_keeps_to_its_share_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "IDLE_S", 0.001)
    runs: list[float] = []

    async def work() -> str:
        runs.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.02)
        return "report"

    web = Web(chain("a.example", 800), took_s=0.001)
    begun = asyncio.get_running_loop().time()
    job = Beside("distribute", work, every_s=0.0, expected_s=0.02)
    stats, _ = await run(web, QUICK, beside=[job])
    assert stats.beside == {"distribute": "report"}
    assert len(runs) > 2
    for number, at in enumerate(runs):  # what was spent, and the next run, are paid for
        assert number * 0.02 <= 0.1 * (at - begun) + 0.001


def test_judging_again_only_lets_links_in() -> None:
    url, other = canonical("http://b.example/x") or "", canonical("http://c.example/") or ""
    links = (Link(url, "b.example"), Link(other, "c.example"))
    page = Page(links=links, excluded=((url, Reason.SCOPE), (other, Reason.SCOPE)))
    wider = Scope.of([SEED, "http://b.example/"], "host")
    assert judge_again(page, wider, 1).excluded == ((other, Reason.SCOPE),)


async def test_no_more_pages_of_a_host_are_asked_for_than_it_may_give_over_all_runs() -> None:
    web = Web(star("a.example", 30) | star("b.example", 3))
    web.pages[SEED].append("http://b.example/0")
    crawl, graph = await start(web, replace(QUICK, max_pages_per_host=5))
    await crawl.run()
    hosts = Counter(host_key(url) for url in web.asked)
    assert hosts == {"a.example": 5, "b.example": 3}
    left_out = [page for page in graph.neurons.values() if "Excluded" in page["labels"]]
    assert {page["reason"] for page in left_out} == {"host-limit"}
    assert len(left_out) == 25
    assert states(graph)["Frontier"] == 0
    again = Crawl(
        MemoryFrontier(graph, "later"), web, web, web, plan=replace(QUICK, max_pages_per_host=5),
        scope=web.scope, seeds=[SEED],
    )  # fmt: skip
    graph.neurons["http://a.example/0"]["labels"].add("Frontier")  # a visit, as of a feed
    graph.wait(graph.neurons["http://a.example/0"])
    await again.run()
    assert Counter(host_key(url) for url in web.asked) == {"a.example": 6, "b.example": 3}


async def test_pages_that_are_not_asked_for_cost_no_delay() -> None:
    web = Web(star("a.example", 40))
    for number in range(1, 40):
        url = f"http://a.example/{number}"
        web.verdicts[url] = Verdict(False, Reason.ROBOTS, "Disallow: /")
    stats, _ = await run(web, Plan(max_pages=0, delay_s=0.5, patience_s=2.0))
    assert stats.requests == 1
    assert stats.seconds < 10  # and not 39 × 0.5 s


async def test_a_host_that_is_blocked_meanwhile_is_asked_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop, "OUTLOOK_EVERY_S", 0.05)
    web = Web(star("a.example", 40) | star("b.example", 5))
    web.pages[SEED].append("http://b.example/0")
    crawl, graph = await start(web, Plan(max_pages=0, delay_s=0.03, per_host=2, patience_s=0.5))
    running = asyncio.create_task(crawl.run())
    while len(web.asked) < 8:
        await asyncio.sleep(0.01)
    graph.host("a.example")["blockedAt"] = graph.now()
    blocked_at = asyncio.get_running_loop().time()
    stats = await asyncio.wait_for(running, 20)
    late = [url for at, url in web.log if at > blocked_at + 0.2 and "//a." in url]
    assert late == []
    assert {url for url in web.asked if "//b." in url} == {
        f"http://b.example/{n}" for n in range(5)
    }
    assert stats.stop_reason == "done"
    assert states(graph)["Leased"] == 0
    assert states(graph)["Frontier"] >= 25  # they wait until it is unblocked


async def test_a_block_also_stops_what_waits_for_a_hosts_own_delay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop, "OUTLOOK_EVERY_S", 0.05)
    web = Web(star("a.example", 6))
    for url in web.pages:
        web.verdicts[url] = Verdict(allowed=True, crawl_delay_s=0.4)
    crawl, graph = await start(web, Plan(max_pages=0, delay_s=0.0, per_host=3, patience_s=0.5))
    running = asyncio.create_task(crawl.run())
    while len(web.asked) < 2:
        await asyncio.sleep(0.01)
    graph.host("a.example")["blockedAt"] = graph.now()
    await asyncio.sleep(0.1)
    asked = len(web.asked)
    await asyncio.wait_for(running, 20)
    assert len(web.asked) == asked
    assert states(graph)["Frontier"] == 6 - asked


class FreshRobots:
    """Downloads the robots.txt of each host when the first of its pages is to be asked for."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.asked: dict[str, float] = {}

    async def check(self, url: str) -> Verdict:
        host = host_key(url)
        verdict = await self.web.check(url)
        if host in self.asked:
            return verdict
        self.asked[host] = asyncio.get_running_loop().time()
        return replace(verdict, asked=True)


@pytest.mark.parametrize(("delay_s", "per_host", "wanted_s"), [(0.1, 1, 0.0), (0.0, 3, 0.1)])
async def test_a_host_rests_between_its_robots_txt_and_its_first_page(
    delay_s: float, per_host: int, wanted_s: float
) -> None:
    web = Web(star("a.example", 3) | star("b.example", 3))
    web.verdicts["http://b.example/1"] = Verdict(False, Reason.ROBOTS)  # asked for first
    for url in web.pages:
        if wanted_s and url not in web.verdicts:
            web.verdicts[url] = Verdict(allowed=True, crawl_delay_s=wanted_s)
    graph = MemoryGraph()
    frontier = MemoryFrontier(graph, "w")
    rewards = {SEED: 1.0, "http://b.example/0": 1.0, "http://b.example/1": 9.0}
    await frontier.seed([Seed(url, host_key(url), points) for url, points in rewards.items()])
    plan = Plan(max_pages=0, delay_s=delay_s, per_host=per_host, patience_s=0.5)
    robots = FreshRobots(web)
    more: dict[str, Any] = {"plan": plan, "scope": web.scope, "seeds": list(rewards)}
    async with asyncio.timeout(20):
        stats = await Crawl(frontier, web, robots, web, **more).run()
    assert stats.pages == 5
    for host, robots_at in robots.asked.items():
        if wanted_s and host == "b.example":
            continue  # what may not be fetched says nothing about the host's wish here
        times = [robots_at, *(at for at, url in web.log if host_key(url) == host)]
        assert min(b - a for a, b in itertools.pairwise(times)) >= 0.1 - 0.002


async def test_a_stop_gives_back_the_page_that_waits_after_its_robots_txt() -> None:
    web = Web(star("a.example", 3))
    graph = MemoryGraph()
    frontier = MemoryFrontier(graph, "w")
    await frontier.seed([Seed(SEED, "a.example")])
    robots = FreshRobots(web)
    plan = Plan(max_pages=0, delay_s=9.0)
    crawl = Crawl(frontier, web, robots, web, plan=plan, scope=web.scope, seeds=[SEED])
    running = asyncio.create_task(crawl.run())
    while not robots.asked:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    crawl.stop("interrupted")
    await asyncio.wait_for(running, 5)
    assert (web.asked, states(graph)) == ([], {"Frontier": 1})
