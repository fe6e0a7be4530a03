"""One run from settings to a crawled graph: puts the parts of the loop together."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial, reduce

from graphcrawl import rewards, tracking, unavailable
from graphcrawl.collector import rarely_collected
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.alive import Alive
from graphcrawl.crawl.away import enduring
from graphcrawl.crawl.examples import Examples, readers_of
from graphcrawl.crawl.fetching import fetch_settings
from graphcrawl.crawl.hooks import Hooks
from graphcrawl.crawl.listings import Listings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.manners import Anonymous, require_contact, warn_of_plain_http
from graphcrawl.crawl.noting import note_start, noted_end
from graphcrawl.crawl.origins import robots_of
from graphcrawl.crawl.part import Part
from graphcrawl.crawl.plan import Beside, Pace, Plan
from graphcrawl.crawl.proxies import STOPPED_BY
from graphcrawl.crawl.pruning import REST_SHARE, beside, finish_all, keeper_of
from graphcrawl.crawl.readmission import readmit
from graphcrawl.crawl.reservations import reservations_of
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import NothingFetchedError, SeedsError
from graphcrawl.evaluate import OtherRules, other_rules
from graphcrawl.fetch import (
    Fetcher,
    Resolve,
    parse_resolve,
    robots_agent,
)
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.last_run import as_last_run, has_goal, last_run
from graphcrawl.models import Reason
from graphcrawl.readers import ReadOptions
from graphcrawl.recorded import RecordOptions
from graphcrawl.revisit import EVERY_S, revisit_feeds
from graphcrawl.scoring.reward import Rules, load_rules
from graphcrawl.spool import spool_folder
from graphcrawl.unavailable import drop_unavailable
from graphcrawl.urls import Scope, host_key

DISTRIBUTE_EVERY_S = 0.5
DISTRIBUTE_EVERY_PAGES = 30  # more often, and the crawl stays with what it knows
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
    part: Part | None = None,
) -> Stats:
    """Add the seeds and crawl until the budget is spent or nothing is left.

    Args:
        graph: The graph to fill.
        inputs: What `Inputs.check` returned.
        prune: Prune beside the crawl, by the settings' threshold or size.
        watch: Go on when nothing is left, until the budget is spent: read feeds again when they
            are due, and take the seeds that others add.
        read_feeds: Begin with reading all known job feeds again, due or not.
        on_start: Called once when all is ready; keeps the `Crawl` to stop it by.
        hooks: Functions of the user's that judge pages and are told of them.
        part: What it is among several workers; None: alone. Whether pages came, in all, is then
            for the caller to look at.

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
    seeds, scope = await _seeds(graph, inputs)
    part = part or Part()
    fetching = part.share(fetch_settings(settings, inputs.resolve))  # fails now, not in mid-crawl
    warn_of_plain_http(seeds, fetching.access.credentials)
    mode = await _reward_mode(graph, settings)  # fails now, not in mid-crawl
    crawl_id, worker, joins = part.crawl_id, part.worker, part.joins
    order = RunOrder.of(settings, inputs.rules)
    frontier = Neo4jFrontier(
        graph,
        crawl_id,
        worker,
        _record_options(inputs, mode, order),
        score=order.score,
        rescored=order.rescored,
    )
    others = None if joins else await other_rules(graph, inputs.rules)
    same_goal = not joins and has_goal(await last_run(graph), settings)
    await note_start(graph, part, settings, inputs.rules.digest, mode, order)
    before = await frontier.outlook()
    report = await frontier.seed(
        [Seed(url, host_key(url), settings.reward.seed) for url in inputs.seeds]
    )
    plan = replace(plan_of(settings), watch=watch)
    if not joins:
        await _readmit(graph, inputs, scope, plan)

    def admits(url: str, depth: int) -> bool:
        return url in seeds or scope.verdict(url, depth) is None

    revisit = partial(revisit_feeds, graph, admits=admits)
    await order.start(graph, crawl_id, before.waiting, same_goal=same_goal, joins=joins)
    if not joins:
        await revisit(all_now=read_feeds)
        await drop_unavailable(graph)
    alive = Alive(graph, crawl_id, worker, prune=prune)
    async with AsyncExitStack() as parts:
        spool = parts.enter_context(spool_folder(Paths.locate(settings.home).state))
        fetcher = await parts.enter_async_context(Fetcher(replace(fetching, spool=spool)))
        readers = await parts.enter_async_context(
            await readers_of(
                part.share_readers(settings),
                ReadOptions(
                    inputs.rules,
                    scope,
                    hooks.text_mode(settings.crawl.text) if hooks else settings.crawl.text,
                    cues=order.wants_cues,
                ),
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
        keeper = keeper_of(graph, settings, prune=prune)
        crawl = Crawl(
            hooks.frontier(frontier) if hooks else frontier,
            fetcher,
            robots if settings.contact else Anonymous(robots, inputs.resolve),
            hooks.readers(readers) if hooks else readers,
            plan=plan,
            scope=scope,
            seeds=seeds,
            beside=alive.only_in_charge(
                [
                    *_beside(graph, settings, await rewards.expected_s(graph), prune=prune),
                    *beside(keeper),
                    *order.beside(graph, frontier, settings.order.rescore_pages),
                    Beside("feeds", revisit, EVERY_S, every_pages=0),
                    Beside("texts", partial(drop_unavailable, graph), unavailable.EVERY_S, 0),
                ]
            ),
            listings=Listings(graph, admits),
            reservations=reservations_of(graph, fetcher, robots, worker, settings),
            learn=order.ordering.learn if order.ordering else None,
            held_back=fetcher.held_back,
            budget=part.budget(graph, settings.crawl.max_pages),
        )
        if hooks:
            hooks.begin(crawl)
        on_start(
            Start(
                crawl,
                len(seeds),
                report.new,
                (await frontier.outlook()).waiting,
                before.waiting > 0,
                others,
                report.forgotten,
                inputs,
            )
        )
        async with noted_end(graph, part, crawl):
            with rarely_collected():
                async with enduring(graph, crawl, settings), alive.beating(crawl):
                    stats = await crawl.run()
            await finish_all(order, revisit, keeper if part.is_alone else None, stats)
    if stats.stop_reason == STOPPED_BY:
        raise crawl.proxy.error()
    if part.is_alone:
        require_pages(stats, settings)
    return stats


async def _seeds(graph: Graph, inputs: Inputs) -> tuple[list[str], Scope]:
    """Return all seeds, those of the graph and those that were named, and their scope."""
    known = [row["url"] for row in await graph.run("frontier/seeds")]
    seeds = list(dict.fromkeys([*known, *inputs.seeds]))
    if not seeds:
        raise SeedsError(
            f"The graph {inputs.settings.graph!r} is empty and there is no seed.",
            "graphcrawl crawl https://example.org/",
        )
    inputs.require_contact(seeds)
    return seeds, reduce(Scope.with_seed, known, inputs.scope)


async def _readmit(graph: Graph, inputs: Inputs, scope: Scope, plan: Plan) -> None:
    settings = inputs.settings
    await readmit(
        graph,
        scope,
        private=settings.crawl.allow_private or bool(inputs.resolve),
        own_hosts=settings.own_hosts.ignore_robots,
        contact=settings.contact is not None,
        agent=robots_agent(settings.crawl.user_agent),
        pace=plan.pace,
    )


def require_pages(stats: Stats, settings: Settings) -> None:
    """Raise what it means that not one page came, of those that were asked for."""
    if stats.failures and not stats.pages and not stats.redirects and not stats.was_stopped:
        reason, count = stats.failures.most_common(1)[0]
        look = "hosts" if Reason(reason) in _OF_HOSTS else "query run why_not_fetched"
        raise NothingFetchedError(
            f"Not one page came; {count} of {stats.failures.total()} failures: {reason}.",
            _WHY_NONE.get(Reason(reason), f"See why: {settings.command(look)}"),
        )


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
    graph: Graph, settings: Settings, distribution_s: float, *, prune: bool
) -> list[Beside]:
    reward = settings.reward
    return [
        Beside(
            "distribute",
            partial(
                rewards.distribute,
                graph,
                distribute=reward.distribute,
                forget=reward.forget,
                damping=reward.damping,
                precision=rewards.BESIDE_A_CRAWL,
                engine=reward.engine,
            ),
            DISTRIBUTE_EVERY_S,
            DISTRIBUTE_EVERY_PAGES,
            expected_s=distribution_s,
            share=REST_SHARE if prune else None,
        )
    ]
