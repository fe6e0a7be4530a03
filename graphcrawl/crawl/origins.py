"""Robots rules in the graph: one worker asks an origin, all go by what it saves [002.robots]."""

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime

from graphcrawl.config import Settings
from graphcrawl.crawl.sitemaps import Admits, let_wait, named_sitemaps
from graphcrawl.fetch import Fetcher, robots_agent
from graphcrawl.graph import Graph
from graphcrawl.robots import CLAIM_S, Robots, RobotsFile, is_own, judge
from graphcrawl.robots_rules import AGENT, Group, parse_rules
from graphcrawl.urls import host_key, host_name, origin


def robots_of(
    graph: Graph,
    fetcher: Fetcher,
    worker: str,
    settings: Settings,
    admits: Admits = lambda _url, _depth: False,
) -> Robots:
    """Return the keeper of robots rules for one run.

    Args:
        graph: Keeps the files, so that each is fetched once however many workers ask.
        fetcher: Downloads them.
        worker: Who asks.
        settings: Name the hosts whose file is not asked for.
        admits: Whether the crawl may fetch a URL at a depth: a sitemap that a file names.
    """
    reward = settings.reward
    sitemaps_worth = reward.seed * reward.newborn**2  # as one of ten links of a seed

    async def load(origin: str) -> RobotsFile | None:
        return await load_robots(graph, origin)

    async def save(file: RobotsFile) -> None:
        if file.reachable:  # before the file, so that a crash in between loses none
            await let_wait(graph, named_sitemaps(file, admits), sitemaps_worth)
        await graph.run(
            "frontier/robots_save",
            origin=file.origin,
            status=file.status,
            body=file.body,
            fetchedAt=file.fetched_at,
            expiresAt=file.expires_at,
            crawlDelayS=file.crawl_delay_s,
        )

    claim, release = turns_at(
        graph, worker, settings, "frontier/robots_claim", "frontier/robots_release"
    )
    return Robots(
        fetcher.download_robots,
        load,
        save,
        agent=robots_agent(settings.crawl.user_agent),
        claim=claim,
        release=release,
        own_hosts=settings.own_hosts.ignore_robots,
    )


def turns_at(
    graph: Graph, worker: str, settings: Settings, claim: str, release: str
) -> tuple[Callable[[str], Awaitable[bool]], Callable[[str], Awaitable[None]]]:
    """Return how a worker reserves the download of an origin's file, and how it lets others ask.

    Args:
        graph: Keeps the reservations.
        worker: Who asks.
        settings: Say how long a download may take.
        claim: The statement that reserves.
        release: The statement that ends a reservation.
    """

    async def take(origin: str) -> bool:
        claim_s = max(CLAIM_S, 2 * int(settings.crawl.total_timeout))
        asked = {"origin": origin, "worker": worker, "asOf": datetime.now(UTC), "claimS": claim_s}
        return bool(await graph.run(claim, **asked))

    async def give_back(origin: str) -> None:
        await graph.run(release, origin=origin, worker=worker)

    return take, give_back


async def load_robots(graph: Graph, origin: str) -> RobotsFile | None:
    """Return what the graph knows of an origin's robots.txt; None: nothing yet."""
    rows = await graph.run("frontier/robots_load", origin=origin)
    if not rows:
        return None
    row = rows[0]
    fetched_at, expires_at = row["fetchedAt"].to_native(), row["expiresAt"].to_native()
    return RobotsFile(
        origin,
        row["status"],
        row["body"],
        fetched_at,
        expires_at,
        crawl_delay_s=row["crawlDelayS"],
    )


def opened_since(
    graph: Graph, own_hosts: Collection[str], agent: str = AGENT
) -> Callable[[str], Awaitable[bool]]:
    """Return a function that tells whether a page that robots.txt closed may be tried again.

    It may where the file that the graph has by now allows it, or is not asked for any more.

    Args:
        graph: Keeps the files.
        own_hosts: Hosts whose robots.txt is not asked for.
        agent: Product token to look for in the files.
    """
    known: dict[str, tuple[RobotsFile, Group | None] | None] = {}

    async def is_open(url: str) -> bool:
        if is_own(url, own_hosts):
            return True
        key = origin(url)
        if key not in known:
            file = await load_robots(graph, key)
            name = host_name(host_key(url))
            known[key] = None if file is None else (file, parse_rules(file.body, name).group(agent))
        found = known[key]
        return found is not None and judge(url, *found).allowed

    return is_open
