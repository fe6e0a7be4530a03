"""Explains what robots.txt says about one URL: by which file, group and rule, and until when.

Nothing is written. The file is the one that is given, else the one that the graph goes by (where
its server runs and knows one that has not expired), else it is fetched.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from graphcrawl import connection, server
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.fetching import fetch_settings
from graphcrawl.crawl.origins import load_robots
from graphcrawl.errors import Neo4jError, UsageError
from graphcrawl.fetch import Fetcher, parse_resolve, robots_agent
from graphcrawl.graph import Graph
from graphcrawl.models import Reason
from graphcrawl.parse.wishes import read_wishes
from graphcrawl.robots import RobotsFile, Verdict, is_own, judge, with_lifetime
from graphcrawl.robots_rules import decode_rules, parse_rules, product_token
from graphcrawl.urls import canonical, host_key, host_name, origin

Source = Literal["file", "graph", "web", "settings"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decides about a URL."""

    url: str  # canonical
    agent: str  # product token
    allowed: bool
    reason: Reason | None  # why not: robots, robots-unreachable or address
    why: str  # in a sentence
    robots_url: str
    source: Source  # where the file came from; settings: it is not asked for
    status: int | None = None  # of its answer; None: no answer, or a local file
    fetched_at: datetime | None = None
    expires_at: datetime | None = None  # until when it counts; None: a local file
    group: tuple[str, ...] = ()  # product tokens of the group that holds; none: no group does
    group_lines: tuple[int, ...] = ()  # where it begins; groups of one token are put together
    rule: str | None = None  # the line that decides
    line: int | None = None  # its number
    crawl_delay_s: float | None = None  # that is kept
    asked_delay_s: float | None = None  # that the file asks for
    wishes: tuple[str, ...] = ()  # of Content-Signal and Content-Usage
    sitemaps: tuple[str, ...] = ()
    ignored_lines: tuple[int, ...] = ()  # that could not be used


async def explain(
    settings: Settings, url: str, agent: str | None = None, body: bytes | None = None
) -> Explanation:
    """Explain whether an agent may fetch a URL.

    Args:
        settings: Which graph, and how files are fetched.
        url: As typed.
        agent: Product token or User-Agent; None: what a crawl by these settings calls itself.
        body: A robots.txt of that URL's origin; None: look for the real one.

    Raises:
        UsageError: It is no URL, or the agent has no product token.
    """
    known = canonical(url)
    if known is None:
        raise UsageError(f"{url!r} is no URL that can be crawled.", "Write https://example.org/")
    token = product_token(robots_agent(settings.crawl.user_agent) if agent is None else agent)
    if not token:
        raise UsageError(f"{agent!r} has no product token.", "Write it as --agent examplebot")
    key = origin(known)
    robots_url = canonical(f"{key}/robots.txt") or f"{key}/robots.txt"
    if body is None and is_own(known, settings.own_hosts.ignore_robots):
        why = "a host of your own: its robots.txt is not asked for, by own_hosts.ignore_robots"
        return Explanation(known, token, True, None, why, robots_url, "settings")
    source: Source = "file"
    if body is not None:
        now = datetime.now(UTC)
        file = RobotsFile(key, 200, decode_rules(body), now, now)
    else:
        kept = await _kept(settings, key)
        source = "graph" if kept else "web"
        file = kept or await _fetched(settings, key)
    rules = parse_rules(file.body, host_name(host_key(known)))
    verdict = judge(known, file, rules.group(token))
    return Explanation(
        known,
        token,
        verdict.allowed,
        verdict.reason,
        _why(file, verdict, token),
        robots_url,
        source,
        status=None if source == "file" else file.status,
        fetched_at=None if source == "file" else file.fetched_at,
        expires_at=None if source == "file" else file.expires_at,
        group=verdict.group.agents if verdict.group else (),
        group_lines=verdict.group.lines if verdict.group else (),
        rule=str(verdict.rule) if verdict.rule else None,
        line=verdict.rule.line if verdict.rule else None,
        crawl_delay_s=verdict.crawl_delay_s,
        asked_delay_s=verdict.asked_delay_s,
        wishes=read_wishes((), verdict.signals, token).all,
        sitemaps=rules.sitemaps,
        ignored_lines=rules.ignored,
    )


async def _kept(settings: Settings, key: str) -> RobotsFile | None:
    """Return what the graph goes by; None where it is not up or knows nothing that still counts."""
    try:
        found = server.find(Paths.locate(settings.home), settings.graph)
        address = connection.external_address() or (found.address if found else None)
        if address is None:
            return None
        async with Graph.open(address) as graph:  # as it is: `connect` would prepare its schema
            file = await load_robots(graph, key)
    except Neo4jError:
        return None
    return file if file is not None and file.expires_at > datetime.now(UTC) else None


async def _fetched(settings: Settings, key: str) -> RobotsFile:
    resolve = tuple(parse_resolve(text) for text in settings.crawl.resolve)
    how = fetch_settings(settings, resolve)
    async with Fetcher(how) as fetcher:
        return with_lifetime(await fetcher.download_robots(key), None)


def _why(file: RobotsFile, verdict: Verdict, agent: str) -> str:
    """Say in a sentence what decided."""
    if verdict.reason is Reason.ADDRESS:
        return f"{verdict.detail}, and those are refused: add --allow-private for hosts of yours"
    if not file.reachable:
        return f"{verdict.detail}: all is forbidden until it can be had"
    if not 200 <= (file.status or 0) < 300:
        return f"there is none (status {file.status}): all is allowed"
    if verdict.group is None:
        return f"no group for {agent} and none for *: all is allowed"
    if verdict.rule is None:
        return "no rule of its group holds for this path"
    return f"line {verdict.rule.line} is the longest rule that holds: {verdict.rule}"
