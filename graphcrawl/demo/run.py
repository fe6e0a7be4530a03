"""The demo: serves a generated web, crawls it with the ordinary crawl, distributes, prunes."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from graphcrawl import look, rewards, where
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl import Stats
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.run import run_crawl
from graphcrawl.demo.site import DemoSite, listen
from graphcrawl.demo.web import Web, generate
from graphcrawl.graph import Graph

GRAPH = "demo"
DELAY_S = 0.002  # the demo's hosts are all ours
HOSTS_PER_REQUEST = 16  # the fewer requests in flight, the more choice the order has
_LAST_ITERATIONS = 3
_BEST_PAGES = 8


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What the demo showed."""

    web: Web
    stats: Stats
    status: look.Status
    feeds: tuple[look.FeedRow, ...]  # all that the crawl took for feeds
    best: tuple[look.PageRow, ...]
    pruned: int
    seconds: float

    @property
    def feeds_found(self) -> int:
        """How many of the web's feeds were found; one that has two URLs counts once."""
        found = {feed.url for feed in self.feeds}
        return sum(bool(found & {feed.url, *feed.aliases}) for feed in self.web.feeds)


async def run_demo(
    graph: Graph,
    settings: Settings,
    *,
    seed: int,
    pages: int,
    on_web: Callable[[Web], None] = lambda _: None,
    on_start: Callable[[Inputs, Start], None] = lambda *_: None,
) -> DemoReport:
    """Generate a web, serve it on loopback, and crawl at most half of its pages.

    Args:
        graph: The graph `demo`; it is emptied first.
        settings: The user's settings; the demo overrides limits, scope and delay.
        seed: Which web.
        pages: How large it is.
        on_web: Told what there is to find, before the crawl.
        on_start: Told how the crawl begins.

    Raises:
        UsageError: No web of that size can be generated.
        Neo4jError: The graph cannot be used.
    """
    begun = time.monotonic()
    listener = listen()
    web = generate(seed, pages, listener.getsockname()[1])
    await graph.run("demo/wipe")
    await graph.run("demo/reset_counters")
    async with DemoSite(web, listener) as site:
        on_web(web)
        inputs = Inputs.check(_demo_settings(settings, site, web), web.seeds)
        stats = await run_crawl(graph, inputs, on_start=lambda start: on_start(inputs, start))
    reward, limits = settings.reward, settings.prune
    if stats.was_stopped:
        return await _report(graph, web, stats, 0, begun)
    await rewards.distribute(
        graph,
        iterations=_LAST_ITERATIONS,
        distribute=reward.distribute,
        forget=reward.forget,
        damping=reward.damping,
        engine=reward.engine,
    )
    pruned = await rewards.prune(
        graph,
        below=limits.below,
        spare_distributions=limits.spare_distributions,
        spare_s=limits.spare_time,
        tombstone_rule=rewards.TombstoneRule(limits.tombstones, limits.tombstone_time),
        archive_dir=Paths.locate(settings.home).archives,
    )
    return await _report(graph, web, stats, pruned.neurons, begun)


async def _report(graph: Graph, web: Web, stats: Stats, pruned: int, begun: float) -> DemoReport:
    fetched = where.parse(["state=fetched"])
    best = [row async for row in look.pages(graph, fetched, limit=_BEST_PAGES)]
    return DemoReport(
        web,
        stats,
        await look.status(graph),
        tuple(await look.feeds(graph)),
        tuple(best),
        pruned,
        time.monotonic() - begun,
    )


def _demo_settings(settings: Settings, site: DemoSite, web: Web) -> Settings:
    crawl = settings.crawl.model_copy(
        update={
            "max_pages": web.pages_total // 2,
            "max_time": None,
            "max_depth": None,
            "scope": "any",
            "include": (),
            "exclude": (),
            "concurrency": max(1, len(web.hosts) // HOSTS_PER_REQUEST),
            "per_host": 1,
            "delay": DELAY_S,
            "rules": "jobs",
            "resolve": (site.resolve,),
            "max_pages_per_host": 0,
            "max_rate": None,
            "max_bandwidth": None,
            "retry_wait": 0.0,
            "cookies": None,
            "headers": (),
            "proxy": "none",
        }
    )
    return settings.model_copy(update={"crawl": crawl})
