"""The Python API: crawl and look at the graph from a program or a notebook. All of it is async.

    import graphcrawl

    async with graphcrawl.connect("nurses") as graph:
        await graphcrawl.crawl("https://example.org/", graph=graph, contact="me@example.org")
        async for page in graphcrawl.pages(graph, "reward>5", limit=10):
            print(page.reward, page.url)

In a notebook the same words work in a cell; `graph = await graphcrawl.connect("nurses")` keeps a
graph open from cell to cell.
Settings come from the same places as on the command line; what is given here goes before them.
Errors are those of `graphcrawl.errors`.
"""

from collections.abc import AsyncIterator, Generator, Iterable
from contextlib import AsyncExitStack
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self

from graphcrawl import connection, joblist, look, tracking, where
from graphcrawl.config import Settings, load_settings
from graphcrawl.crawl import Crawl, Stats
from graphcrawl.crawl.hooks import Evaluate, Hooks, OnPage, Visit
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.run import run_crawl
from graphcrawl.errors import GraphcrawlError, SeedsError, UsageError
from graphcrawl.graph import Graph
from graphcrawl.joblist import JobRow
from graphcrawl.last_run import says_order
from graphcrawl.look import FeedRow, PageRow
from graphcrawl.seeds import from_arguments

__all__ = [
    "Connection",
    "Crawler",
    "FeedRow",
    "JobRow",
    "PageRow",
    "Visit",
    "connect",
    "crawl",
    "feeds",
    "jobs",
    "pages",
]


class Connection:
    """An open graph. Await it, or use it in `async with`, which closes it at the end."""

    def __init__(self, settings: Settings, given: dict[str, Any], *, start: bool) -> None:
        """See `connect`."""
        self.settings = settings
        self._given, self._start = given, start
        self._stack = AsyncExitStack()
        self._graph: Graph | None = None

    @property
    def graph(self) -> Graph:
        """The driver's side of it: runs the statements of `cypher/` by name.

        Raises:
            UsageError: The connection is not open.
        """
        if self._graph is None:
            raise UsageError(
                f"The graph {self.settings.graph!r} is not open.",
                f"graph = await graphcrawl.connect({self.settings.graph!r})",
            )
        return self._graph

    @property
    def says_order(self) -> bool:
        """Whether its settings say by what pages are to be ordered."""
        return says_order(self._given)

    def settings_with(self, **given: Any) -> Settings:
        """Read the settings again with more of them given, sections as dicts.

        Raises:
            SettingsError: One is unknown or has a wrong value.
        """
        merged = dict(self._given)
        for key, value in given.items():
            merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
        settings = load_settings(**merged)
        tracking.use(settings.crawl.tracking)
        return settings

    async def close(self) -> None:
        """Close it; the server stays up for the next one."""
        self._graph = None
        await self._stack.aclose()

    async def _open(self) -> Self:
        if self._graph is None:
            opening = connection.connect(self.settings, start=self._start)
            self._graph = await self._stack.enter_async_context(opening)
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self._open().__await__()

    async def __aenter__(self) -> Self:
        return await self._open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def connect(graph: str | None = None, *, start: bool = True, **settings: Any) -> Connection:
    """Open a graph: your own Neo4j where `NEO4J_URI` names one, else the embedded one.

        async with graphcrawl.connect("nurses") as graph: ...
        graph = await graphcrawl.connect("nurses")  # then: await graph.close()

    Args:
        graph: Its name; None: the one of the settings.
        start: Start the embedded server when it is down; the first start fetches it.
        settings: By name, sections as dicts: `contact="me@example.org"`, `crawl={"delay": "2s"}`.

    Raises:
        SettingsError: A setting is unknown or has a wrong value.
        Neo4jError: When it is opened: the graph cannot be used.
    """
    given = {"graph": graph} | settings
    loaded = load_settings(**given)
    tracking.use(loaded.crawl.tracking)
    return Connection(loaded, given, start=start)


class Crawler:
    """A crawl with functions of yours in it. `await Crawler(…).run()`."""

    def __init__(
        self,
        *seeds: str,
        graph: Connection | str | None = None,
        evaluate: Evaluate | None = None,
        on_page: OnPage | None = None,
        prune: bool = False,
        contact: str | None = None,
        **crawl: Any,
    ) -> None:
        """Check all that can be checked before anything is fetched.

        Args:
            seeds: URLs to start from; none: go on where the last run stopped.
            graph: An open connection, or a graph's name.
            evaluate: Takes a `Visit` and returns what the page earns, in place of the rules: points
                (or a truth value), a dict of names and points, or grants; the rules' own are
                `visit.grants`. A plain or a coroutine function; all else waits for a plain one, so
                it should be quick.
            on_page: Takes each `Visit` once it is in the graph. A plain or a coroutine function.
            prune: Prune poor pages meanwhile.
            contact: URL or e-mail address that the crawled hosts are told.
            crawl: Settings of `[crawl]`: `max_pages=100`, `scope="host"`, `delay="2s"`, `rules=…`.

        Raises:
            SeedsError: A seed is no URL.
            ContactError: Public hosts, and no contact.
            UsageError: A setting, a pattern or the rules cannot be used.
        """
        found = from_arguments(seeds)
        if found.complaints:
            raise SeedsError(found.complaints[0], "Write seeds as https://example.org/")
        given: dict[str, Any] = {"contact": contact} if contact else {}
        given["crawl"] = crawl
        self._connection = graph if isinstance(graph, Connection) else None
        opened = self._connection or connect(graph if isinstance(graph, str) else None)
        self._inputs = Inputs.check(
            opened.settings_with(**given), found.urls, goes_on=not opened.says_order
        )
        self._hooks = (evaluate, on_page)
        self._prune = prune
        self._crawl: Crawl | None = None

    @property
    def stats(self) -> Stats | None:
        """What the run has done so far; None before it begins."""
        return self._crawl.stats if self._crawl else None

    def stop(self) -> None:
        """Claim no more; pages in flight are finished and recorded. For `on_page` too."""
        if self._crawl is not None:
            self._crawl.stop("stopped")

    async def run(self) -> Stats:
        """Crawl until the budget is spent, nothing is left, or `stop` is called.

        When a function of yours raises, the pages in flight are finished and recorded, and its
        error is raised again here.

        Raises:
            SeedsError: There is no seed, neither named nor in the graph.
            NothingFetchedError: Pages were to be fetched and none came.
            Neo4jError: The graph cannot be used.
        """
        if self._connection is not None:
            return await self._run(self._connection.graph)
        async with connection.connect(self._inputs.settings) as graph:
            return await self._run(graph)

    async def _run(self, graph: Graph) -> Stats:
        evaluate, on_page = self._hooks
        hooks = Hooks(evaluate, on_page) if evaluate or on_page else None

        def begin(start: Start) -> None:
            self._crawl = start.crawl

        try:
            stats = await run_crawl(
                graph, self._inputs, prune=self._prune, on_start=begin, hooks=hooks
            )
        except GraphcrawlError:
            if hooks and hooks.failure:
                raise hooks.failure from None
            raise
        if hooks and hooks.failure:
            raise hooks.failure
        return stats


async def crawl(*seeds: str, **options: Any) -> Stats:
    """Crawl and return the counters of the run; `options` are those of `Crawler`.

    await graphcrawl.crawl("https://example.org/", contact="me@example.org", max_pages=100)
    """
    return await Crawler(*seeds, **options).run()


async def pages(
    graph: Connection,
    filters: str | Iterable[str] = (),
    *,
    sort: str = "reward",
    reverse: bool = False,
    limit: int = 0,
) -> AsyncIterator[PageRow]:
    """Yield the pages of the graph that pass the filters, one by one.

    Args:
        graph: An open connection.
        filters: As `--where` takes them: `"host=a.example reward>10"`.
        sort: A field; texts and depths start at the smallest, all others at the greatest.
        reverse: Turn the order.
        limit: Pages; 0 means all.

    Raises:
        UsageError: A filter or the field cannot be used.
    """
    terms = where.parse([filters] if isinstance(filters, str) else filters)
    async for row in look.pages(graph.graph, terms, sort=sort, reverse=reverse, limit=limit):
        yield row


async def feeds(graph: Connection) -> AsyncIterator[FeedRow]:
    """Yield the XML job feeds that were found, in the order in which they were read."""
    for row in await look.feeds(graph.graph):
        yield row


async def jobs(
    graph: Connection,
    filters: str | Iterable[str] = (),
    *,
    what: Literal["all", "new", "changed", "gone"] = "all",
    since: datetime | str | None = None,
    limit: int = 0,
) -> AsyncIterator[JobRow]:
    """Yield the jobs that feeds and pages list, the newest first.

    Args:
        graph: An open connection.
        filters: As `graphcrawl jobs --where` takes them: `"country=DE title~nurse"`.
        what: All, or those that are new, changed or gone: by the last reading, or since then.
        since: A time, or how long ago: `"2d"`.
        limit: Jobs; 0 means all.

    Raises:
        UsageError: A filter, the time or `what` cannot be used.
    """
    if what not in tuple(joblist.What):
        raise UsageError(f"There are no {what!r} jobs.", "Give all, new, changed or gone.")
    conditions = [filters] if isinstance(filters, str) else filters
    rows = joblist.jobs(
        graph.graph,
        where.parse(conditions, where.JOB_FIELDS),
        what=joblist.What(what),
        since=joblist.parse_since(since) if isinstance(since, str) else since,
        limit=limit,
    )
    async for row in rows:
        yield row
