"""One run from settings to a crawled graph: puts the parts of the loop together."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial, reduce

from graphcrawl import rewards, tracking, unavailable
from graphcrawl.collector import rarely_collected
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.alive import Alive
from graphcrawl.crawl.away import enduring
from graphcrawl.crawl.examples import keep_examples, readers_of, topic_of
from graphcrawl.crawl.fetching import fetch_settings
from graphcrawl.crawl.flowing import flowing
from graphcrawl.crawl.hooks import Hooks
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.listings import Listings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.manners import Anonymous, warn_of_plain_http
from graphcrawl.crawl.noting import note_start, noted_end
from graphcrawl.crawl.origins import robots_of
from graphcrawl.crawl.part import Part
from graphcrawl.crawl.parts import Robots
from graphcrawl.crawl.plan import Beside, Pace, Plan
from graphcrawl.crawl.proxies import STOPPED_BY
from graphcrawl.crawl.pruning import REST_SHARE, beside, finish_all, keeper_of
from graphcrawl.crawl.readmission import readmit
from graphcrawl.crawl.reservations import reservations_of
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import NothingFetchedError, SeedsError
from graphcrawl.evaluate import OtherRules, other_rules
from graphcrawl.fetch import Fetcher, FetchSettings, robots_agent
from graphcrawl.frontier import Neo4jFrontier, Seed, SeedReport
from graphcrawl.graph import Graph
from graphcrawl.last_run import as_last_run, has_goal, last_run, require_same
from graphcrawl.models import Reason
from graphcrawl.readers import ReaderPool, ReadOptions
from graphcrawl.recorded import RecordOptions
from graphcrawl.revisit import EVERY_S, revisit_feeds
from graphcrawl.rewards.keeping import Keeper
from graphcrawl.spool import spool_folder
from graphcrawl.unavailable import drop_unavailable
from graphcrawl.urls import Scope, host_key

_WHY_NONE = {
    Reason.ADDRESS: "Private and loopback addresses are refused: add --allow-private for sites of "
    "yours.",
    Reason.CONTACT: "Public hosts are told who crawls them: add --contact you@example.org",
}
_OF_HOSTS = {Reason.ROBOTS_UNREACHABLE, Reason.TOO_MANY_REQUESTS}  # the pages wait


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
        UsageError: A crawl that runs goes by another order or topic.
        ProxyDownError: The settings' proxy is down, or lets nobody in; the pages wait.
        GdsMissingError: The settings demand GDS, and the server does not have it.
        NothingFetchedError: Pages were to be fetched and none came.
        Neo4jError: The graph cannot be used any more.
    """
    part = part or Part()
    run = await _Run.prepared(graph, inputs, part, hooks, watch=watch)
    begun = await run.begin(read_feeds=read_feeds)
    keeper = keeper_of(graph, run.settings, prune=prune)
    alive = Alive(graph, part.crawl_id, part.worker, prune=prune)
    async with AsyncExitStack() as parts:
        crawl = run.crawl = await run.crawl_of(parts, alive, keeper)
        if hooks:
            hooks.begin(crawl)
        on_start(await run.start(crawl, begun))
        async with noted_end(graph, part, crawl):
            with rarely_collected():
                async with enduring(graph, crawl, run.settings), alive.beating(crawl):
                    stats = await crawl.run()
            await finish_all(run.order, run.revisit, keeper if part.is_alone else None, stats)
    if stats.stop_reason == STOPPED_BY:
        raise crawl.proxy.error()
    if part.is_alone:
        require_pages(stats, run.settings)
    return stats


@dataclass(frozen=True, slots=True)
class _Begun:
    """How a run found the graph, and what its seeds made of it."""

    resumed: bool  # pages were waiting
    others: OtherRules | None
    seeded: SeedReport


@dataclass(slots=True)
class _Run:
    """What the steps of one run share."""

    graph: Graph
    inputs: Inputs
    part: Part
    hooks: Hooks | None
    seeds: list[str]  # all of the graph
    scope: Scope  # of them
    fetching: FetchSettings
    mode: rewards.Mode
    order: RunOrder
    frontier: Neo4jFrontier
    plan: Plan
    same_goal: bool  # as the run before it
    crawl: Crawl | None = None  # once there is one

    @property
    def settings(self) -> Settings:
        """What it goes by."""
        return self.inputs.settings

    def admits(self, url: str, depth: int) -> bool:
        """Whether a page may wait, by the scope as it is now."""
        if self.crawl is not None:
            return self.crawl.admits(url, depth)
        return url in self.seeds or self.scope.verdict(url, depth) is None

    async def revisit(self, *, all_now: bool = False) -> object:
        """Let feeds wait that are due."""
        return await revisit_feeds(self.graph, admits=self.admits, all_now=all_now)

    @classmethod
    async def prepared(
        cls, graph: Graph, inputs: Inputs, part: Part, hooks: Hooks | None, *, watch: bool
    ) -> "_Run":
        """Decide what the run goes by; what cannot be used fails now, and changes nothing."""
        last = None if part.joins else await last_run(graph)
        if inputs.goes_on:
            inputs = Inputs.check(as_last_run(last, inputs.settings), inputs.seeds)
        settings = inputs.settings
        require_same(last, settings)
        tracking.use(settings.crawl.tracking)
        seeds, scope = await _seeds(graph, inputs)
        fetching = part.share(fetch_settings(settings, inputs.resolve))
        warn_of_plain_http(seeds, fetching.access.credentials)
        mode = await _reward_mode(graph, settings)
        order = RunOrder.of(settings, inputs.rules)
        frontier = Neo4jFrontier(
            graph,
            part.crawl_id,
            part.worker,
            _record_options(inputs, mode, order),
            score=order.score,
            rescored=order.rescored,
        )
        plan = replace(plan_of(settings), watch=watch)
        same_goal = not part.joins and has_goal(last, settings)
        return cls(
            graph,
            inputs,
            part,
            hooks,
            seeds,
            scope,
            fetching,
            mode,
            order,
            frontier,
            plan,
            same_goal,
        )

    async def begin(self, *, read_feeds: bool) -> _Begun:
        """Note the run in the graph, add its seeds, and bring what waits into its order."""
        graph, settings, joins = self.graph, self.settings, self.part.joins
        others = None if joins else await other_rules(graph, self.inputs.rules)
        judges = self.hooks is not None and self.hooks.judges
        await note_start(
            graph,
            self.part,
            settings,
            self.inputs.rules.digest,
            self.mode,
            self.order,
            judges=judges,
        )
        before = await self.frontier.outlook()
        seeded = await self.frontier.seed(
            [Seed(url, host_key(url), settings.reward.seed) for url in self.inputs.seeds]
        )
        if not joins:
            await _readmit(graph, self.inputs, self.scope, self.plan)
        await self.order.start(
            graph, self.part.crawl_id, before.waiting, same_goal=self.same_goal, joins=joins
        )
        if not joins:
            await self.revisit(all_now=read_feeds)
            await drop_unavailable(graph)
        return _Begun(before.waiting > 0, others, seeded)

    async def crawl_of(self, parts: AsyncExitStack, alive: Alive, keeper: Keeper | None) -> Crawl:
        """Put the loop together; its parts are closed at the end of the block."""
        graph, settings, hooks = self.graph, self.settings, self.hooks
        spool = parts.enter_context(spool_folder(Paths.locate(settings.home).state))
        fetcher = await parts.enter_async_context(Fetcher(replace(self.fetching, spool=spool)))
        robots = robots_of(graph, fetcher, self.part.worker, settings, self.admits)
        readers = await parts.enter_async_context(await self._readers(fetcher, robots))
        return Crawl(
            hooks.frontier(self.frontier) if hooks else self.frontier,
            fetcher,
            robots if settings.contact else Anonymous(robots, self.inputs.resolve),
            hooks.readers(readers) if hooks else readers,
            plan=self.plan,
            scope=self.scope,
            seeds=self.seeds,
            beside=alive.only_in_charge(await self._work_beside(keeper)),
            listings=Listings(graph, self.admits),
            reservations=reservations_of(graph, fetcher, robots, self.part.worker, settings),
            learn=self.order.ordering.learn if self.order.ordering else None,
            held_back=fetcher.held_back,
            budget=self.part.budget(graph, settings.crawl.max_pages),
        )

    async def start(self, crawl: Crawl, begun: _Begun) -> Start:
        """Tell how the run begins."""
        return Start(
            crawl,
            len(self.seeds),
            begun.seeded.new,
            (await self.frontier.outlook()).waiting,
            begun.resumed,
            begun.others,
            begun.seeded.forgotten,
            self.inputs,
        )

    async def _readers(self, fetcher: Fetcher, robots: Robots) -> ReaderPool:
        """Return readers that know the topic; whose examples are fetched once for all workers."""
        settings, pace = self.settings, self.plan.pace
        topic = await topic_of(
            self.inputs.examples,
            settings.topic.measure,
            fetcher,
            robots,
            delay_s=lambda host: pace(host).delay_s,
            may_ask=lambda url: self.inputs.require_contact([url]),
        )
        if self.part.part_of is None:
            await keep_examples(self.graph, settings, topic.examples if topic else ())
        text = settings.crawl.text
        options = ReadOptions(
            self.inputs.rules,
            self.scope,
            self.hooks.text_mode(text) if self.hooks else text,
            cues=self.order.wants_cues,
        )
        return readers_of(self.part.share_readers(settings), options, topic)

    async def _work_beside(self, keeper: Keeper | None) -> list[Beside]:
        graph, settings = self.graph, self.settings
        expected_s = await rewards.expected_s(graph)
        share = REST_SHARE if keeper else None
        return [
            flowing(graph, settings.reward, self.mode, expected_s, share=share),
            *beside(keeper),
            *self.order.beside(graph, self.frontier, settings.order.rescore_pages),
            Beside("feeds", self.revisit, EVERY_S, every_pages=0),
            Beside("texts", partial(drop_unavailable, graph), unavailable.EVERY_S, 0),
        ]


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
