"""One run from settings to a crawled graph: puts the parts of the loop together."""

import json
import os
import platform
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial, reduce

from graphcrawl import rewards, tracking, unavailable
from graphcrawl.collector import rarely_collected
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.alive import alive
from graphcrawl.crawl.examples import Examples, readers_of
from graphcrawl.crawl.fetching import fetch_settings
from graphcrawl.crawl.flowing import flowing
from graphcrawl.crawl.hooks import Hooks
from graphcrawl.crawl.listings import Listings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.manners import Anonymous, require_contact, warn_of_plain_http
from graphcrawl.crawl.origins import robots_of
from graphcrawl.crawl.plan import Beside, Pace, Plan
from graphcrawl.crawl.proxies import STOPPED_BY
from graphcrawl.crawl.readmission import readmit
from graphcrawl.crawl.reservations import reservations_of
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import (
    Neo4jPanicError,
    Neo4jUnreachableError,
    NothingFetchedError,
    SeedsError,
)
from graphcrawl.evaluate import OtherRules, other_rules
from graphcrawl.fetch import (
    Fetcher,
    Resolve,
    parse_resolve,
    robots_agent,
)
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.last_run import as_last_run, has_goal, kept_wishes, last_run
from graphcrawl.models import Reason
from graphcrawl.readers import ReadOptions
from graphcrawl.recorded import RecordOptions
from graphcrawl.revisit import EVERY_S, revisit_feeds
from graphcrawl.scoring.reward import Rules, load_rules
from graphcrawl.spool import spool_folder
from graphcrawl.unavailable import drop_unavailable
from graphcrawl.urls import Scope, host_key

PRUNE_EVERY_S = 60.0
_WHY_NONE = {
    Reason.ADDRESS: "Private and loopback addresses are refused: add --allow-private for sites of "
    "yours.",
    Reason.CONTACT: "Public hosts are told who crawls them: add --contact you@example.org",
}
_OF_HOSTS = {Reason.ROBOTS_UNREACHABLE, Reason.TOO_MANY_REQUESTS}  # the pages wait


@dataclass(frozen=True, slots=True)
class Inputs:
    """What can be checked before a server is started."""

    settings: Settings
    seeds: tuple[str, ...]  # canonical, those that were named for this run
    rules: Rules
    resolve: tuple[Resolve, ...]
    scope: Scope  # of the named seeds
    examples: Examples = field(default_factory=Examples)  # of the topic
    goes_on: bool = False  # with the order and the topic of the last run

    @classmethod
    def check(cls, settings: Settings, seeds: Sequence[str], *, goes_on: bool = False) -> "Inputs":
        """Read rules, patterns and addresses.

        Raises:
            UsageError: One of them cannot be used, a topic is empty, or public hosts are to be
                crawled without a contact.
        """
        crawl = settings.crawl
        resolve = tuple(parse_resolve(text) for text in crawl.resolve)
        scope = Scope.of(seeds, crawl.scope, crawl.include, crawl.exclude, crawl.max_depth)
        examples = Examples.of(settings.topic.examples)
        rules = load_rules(crawl.rules)
        inputs = cls(settings, tuple(seeds), rules, resolve, scope, examples, goes_on)
        inputs.require_contact([*seeds, *examples.urls])
        return inputs

    def require_contact(self, urls: Sequence[str]) -> None:
        """Refuse to crawl public hosts anonymously: their owners must be able to reach us.

        Raises:
            ContactError: There are public hosts among the URLs and no contact.
        """
        require_contact(urls, self.settings.contact, self.resolve)


@dataclass(frozen=True, slots=True)
class Start:
    """How a run begins."""

    crawl: Crawl
    seeds: int  # in the graph
    new_seeds: int
    waiting: int  # pages in the frontier
    resumed: bool  # pages were waiting before this run
    other_rules: OtherRules | None = None  # that pages were paid by before
    forgotten: int = 0  # seeds that were forgotten on request, and are left out
    inputs: Inputs | None = None  # with what it took over from the last run


async def run_crawl(
    graph: Graph,
    inputs: Inputs,
    *,
    prune: bool = False,
    watch: bool = False,
    read_feeds: bool = False,
    on_start: Callable[[Start], None] = lambda _: None,
    hooks: Hooks | None = None,
) -> Stats:
    """Add the seeds and crawl until the budget is spent or nothing is left.

    Args:
        graph: The graph to fill.
        inputs: What `Inputs.check` returned.
        prune: Prune beside the crawl, by the settings' threshold.
        watch: Go on when nothing is left, until the budget is spent: read feeds again when they
            are due, and take the seeds that others add.
        read_feeds: Begin with reading all known job feeds again, due or not.
        on_start: Called once when all is ready; keeps the `Crawl` to stop it by.
        hooks: Functions of the user's that judge pages and are told of them.

    Raises:
        SeedsError: There is no seed, neither named nor in the graph.
        ContactError: The graph's seeds are public and there is no contact.
        ProxyDownError: The settings' proxy is down, or lets nobody in; the pages wait.
        GdsMissingError: The settings demand GDS, and the server does not have it.
        NothingFetchedError: Pages were to be fetched and none came.
        Neo4jError: The graph cannot be used any more.
    """
    if inputs.goes_on:
        settings = await as_last_run(graph, inputs.settings)
        inputs = Inputs.check(settings, inputs.seeds)
    settings = inputs.settings
    tracking.use(settings.crawl.tracking)
    known = [row["url"] for row in await graph.run("frontier/seeds")]
    seeds = list(dict.fromkeys([*known, *inputs.seeds]))
    if not seeds:
        raise SeedsError(
            f"The graph {settings.graph!r} is empty and there is no seed.",
            "graphcrawl crawl https://example.org/",
        )
    inputs.require_contact(seeds)
    scope = reduce(Scope.with_seed, known, inputs.scope)
    fetching = fetch_settings(settings, inputs.resolve)  # fails now, not in mid-crawl
    warn_of_plain_http(seeds, fetching.access.credentials)
    mode = await _reward_mode(graph, settings)  # fails now, not in mid-crawl
    crawl_id, worker = _names()
    order = RunOrder.of(settings, inputs.rules)
    options = _record_options(inputs, mode, order)
    frontier = Neo4jFrontier(
        graph, crawl_id, worker, options, score=order.score, rescored=order.rescored
    )
    others = await other_rules(graph, inputs.rules)
    same_goal = has_goal(await last_run(graph), settings)
    await _start(graph, crawl_id, inputs, mode, order)
    before = await frontier.outlook()
    report = await frontier.seed(
        [Seed(url, host_key(url), settings.reward.seed) for url in inputs.seeds]
    )
    plan = replace(plan_of(settings), watch=watch)
    await readmit(
        graph,
        scope,
        private=settings.crawl.allow_private or bool(inputs.resolve),
        own_hosts=settings.own_hosts.ignore_robots,
        contact=settings.contact is not None,
        agent=robots_agent(settings.crawl.user_agent),
        pace=plan.pace,
    )

    def admits(url: str, depth: int) -> bool:
        return url in seeds or scope.verdict(url, depth) is None

    revisit = partial(revisit_feeds, graph, admits=admits)
    await order.start(graph, crawl_id, before.waiting, same_goal=same_goal)
    await revisit(all_now=read_feeds)
    await drop_unavailable(graph)
    text = hooks.text_mode(settings.crawl.text) if hooks else settings.crawl.text
    async with AsyncExitStack() as parts:
        spool = parts.enter_context(spool_folder(Paths.locate(settings.home).state))
        fetcher = await parts.enter_async_context(Fetcher(replace(fetching, spool=spool)))
        readers = await parts.enter_async_context(
            await readers_of(
                settings,
                ReadOptions(inputs.rules, scope, text, cues=order.wants_cues),
                inputs.examples,
                fetcher,
                robots_of(graph, fetcher, worker, settings, admits),
                pace=plan.pace,
                may_ask=lambda url: inputs.require_contact([url]),
            )
        )

        def admits(url: str, depth: int) -> bool:
            return crawl.admits(url, depth)

        robots = robots_of(graph, fetcher, worker, settings, admits)
        crawl = Crawl(
            hooks.frontier(frontier) if hooks else frontier,
            fetcher,
            robots if settings.contact else Anonymous(robots, inputs.resolve),
            hooks.readers(readers) if hooks else readers,
            plan=plan,
            scope=scope,
            seeds=seeds,
            beside=[
                *_beside(graph, settings, mode, await rewards.expected_s(graph), prune=prune),
                *order.beside(graph, frontier, settings.order.rescore_pages),
                Beside("feeds", revisit, EVERY_S, every_pages=0),
                alive(graph, crawl_id, lambda: crawl.stats),
                Beside("texts", partial(drop_unavailable, graph), unavailable.EVERY_S, 0),
            ],
            listings=Listings(graph, admits),
            reservations=reservations_of(graph, fetcher, robots, worker, settings),
            learn=order.ordering.learn if order.ordering else None,
            held_back=fetcher.held_back,
        )
        if hooks:
            hooks.begin(crawl)
        outlook = await frontier.outlook()
        waiting, resumed, forgotten = outlook.waiting, before.waiting > 0, report.forgotten
        on_start(Start(crawl, len(seeds), report.new, waiting, resumed, others, forgotten, inputs))
        async with _noted_end(graph, crawl_id, crawl):
            with rarely_collected():
                stats = await crawl.run()
            await order.finish()
            await revisit()  # learn from the last readings too
    _require_pages(crawl, settings)
    return stats


def _require_pages(crawl: Crawl, settings: Settings) -> None:
    """Raise what it means that a run was cut off from the web, or that not one page came."""
    stats = crawl.stats
    if stats.stop_reason == STOPPED_BY:
        raise crawl.proxy.error()
    if stats.failures and not stats.pages and not stats.redirects and not stats.was_stopped:
        reason, count = stats.failures.most_common(1)[0]
        look = "hosts" if Reason(reason) in _OF_HOSTS else "query run why_not_fetched"
        raise NothingFetchedError(
            f"Not one page came; {count} of {stats.failures.total()} failures: {reason}.",
            _WHY_NONE.get(Reason(reason), f"See why: {settings.command(look)}"),
        )


def _names() -> tuple[str, str]:
    """Return an id for a run, and a name for its worker."""
    crawl_id = uuid.uuid4().hex
    return crawl_id, f"{platform.node()}-{os.getpid()}-{crawl_id[:6]}"


@asynccontextmanager
async def _noted_end(graph: Graph, crawl_id: str, crawl: Crawl) -> AsyncIterator[None]:
    """Note at the end of a run why it ended, unless the server is gone: it would be waited for."""
    is_gone = False
    try:
        yield
    except (Neo4jUnreachableError, Neo4jPanicError):
        is_gone = True
        raise
    finally:
        if not is_gone:
            reason = crawl.stats.stop_reason or "error"
            await graph.run("write/finish_crawl", id=crawl_id, stopReason=reason)


def plan_of(settings: Settings) -> Plan:
    """Return the limits and paces that the settings name."""
    crawl = settings.crawl
    return Plan(
        max_pages=crawl.max_pages,
        max_time_s=crawl.max_time,
        concurrency=crawl.concurrency,
        per_host=crawl.per_host,
        delay_s=crawl.delay,
        agent=robots_agent(crawl.user_agent).lower(),
        max_tries=crawl.max_tries,
        grace_s=crawl.total_timeout,
        slow_factor=crawl.slow_factor,
        max_pages_per_host=crawl.max_pages_per_host,
        hosts={
            name: Pace(
                crawl.delay if own.delay is None else own.delay,
                own.per_host or crawl.per_host,
                crawl.max_pages_per_host if own.max_pages is None else own.max_pages,
            )
            for name, own in settings.hosts.items()
        },
    )


async def _reward_mode(graph: Graph, settings: Settings) -> rewards.Mode:
    await rewards.choose_engine(graph, settings.reward.engine)
    return await rewards.fix(graph, settings.graph, settings.reward.mode)


def _record_options(inputs: Inputs, mode: rewards.Mode, order: RunOrder) -> RecordOptions:
    settings, rules = inputs.settings, inputs.rules
    options = RecordOptions(
        newborn=settings.reward.newborn,
        feed_new=rules.feed_new,
        feed_known=rules.feed_known,
        max_tries=settings.crawl.max_tries,
        retry_s=settings.crawl.retry_wait,
        facts=order.keeps_facts,
        cues=order.wants_cues,
        ranked=order.is_rank,
    )
    return rewards.record_options(options, mode, settings.reward.damping)


def _beside(
    graph: Graph, settings: Settings, mode: rewards.Mode, distribution_s: float, *, prune: bool
) -> list[Beside]:
    limits = settings.prune
    jobs = [flowing(graph, settings.reward, mode, distribution_s)]
    if prune:
        work = partial(
            rewards.prune,
            graph,
            below=limits.below,
            spare_distributions=limits.spare_distributions,
            spare_s=limits.spare_time,
            archive_dir=Paths.locate(settings.home).archives,
        )
        jobs.append(Beside("prune", work, PRUNE_EVERY_S))
    return jobs


async def _start(
    graph: Graph, crawl_id: str, inputs: Inputs, mode: rewards.Mode, order: RunOrder
) -> None:
    settings = inputs.settings.model_dump(mode="json", exclude={"home", "server"})
    settings |= kept_wishes(inputs.settings, order.words)
    crawl = settings["crawl"]  # what others may read must hold no secrets
    crawl["headers"] = [header.partition(":")[0] for header in crawl["headers"]]
    crawl["proxy"] = None if crawl["proxy"] is None else "set"
    await graph.run(
        "write/start_crawl",
        id=crawl_id,
        settings=json.dumps(settings, sort_keys=True),
        rulesDigest=inputs.rules.digest,
        order=inputs.settings.order.by,
        rewardMode=mode,
    )
