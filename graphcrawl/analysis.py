"""The crawled graph as pandas DataFrames, for notebooks and programs. All of it only reads.

    from graphcrawl import analysis

    graph = await analysis.open_crawled("nurses")
    print((await analysis.size(graph)).told)
    best = await analysis.pages(graph, "state=fetched", limit=100, columns=["url", "reward"])

`where` is the filter of `graphcrawl pages --where`; `limit` counts rows, and 0 means all; `columns`
names those that are wanted. Without a limit a frame of more than a million rows is refused. What
each column is and its unit: `PAGES`, `AXONS` and so on in `graphcrawl.columns`, and
`docs/ANALYSIS.md`. Plots of these frames: `graphcrawl.plots`.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from graphcrawl import columns as known
from graphcrawl import explain, look, rewards, simulate, where
from graphcrawl.api import Connection, connect
from graphcrawl.config import Paths
from graphcrawl.connection import external_address
from graphcrawl.crawled import crawled_web
from graphcrawl.errors import UsageError, command_on
from graphcrawl.frames import Column, chosen, frame, gather

if TYPE_CHECKING:
    import pandas as pd

    from graphcrawl.graph import Row

MAX_ROWS = 1_000_000  # of a frame, unless more are asked for
PER_DECADE = 5  # bins of reward for each power of ten
MAX_AROUND = 300  # pages of a neighbourhood that can still be looked at

Where = str | Iterable[str]
Columns = Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Size:
    """Which graph it is, and how big."""

    graph: str
    counts: look.Counts
    hosts: int
    reward: float
    mode: str | None  # how reward flows: neural or steady

    @property
    def told(self) -> str:
        """The same in words."""
        c = self.counts
        return (
            f"This is the graph {self.graph!r}: {c.neurons:,} pages on {self.hosts:,} hosts and "
            f"{c.axons:,} axons between them. Of the pages {c.fetched:,} are fetched, "
            f"{c.frontier:,} wait, {c.failed:,} failed and {c.feeds:,} are job feeds; "
            f"{c.pruned:,} more were pruned. There are {self.reward:,.0f} points of reward, "
            f"which flow in the mode {self.mode or 'neural'}."
        )


async def open_crawled(graph: str | None = None, **settings: Any) -> Connection:
    """Open a graph that was crawled; its embedded server is started where it is down.

    Args:
        graph: Its name; None: the one of the settings.
        settings: As for `graphcrawl.connect`.

    Raises:
        UsageError: There is no such graph, or nothing is in it.
        Neo4jError: It cannot be used.
    """
    opened = connect(graph, **settings)
    name = opened.settings.graph
    how = "demo" if name == "demo" else command_on(name, "crawl URL").removeprefix("graphcrawl ")
    hint = f"Make it in a terminal: graphcrawl {how}"
    paths = Paths.locate(opened.settings.home)
    if external_address() is None and not paths.graph(name).is_dir():
        raise UsageError(f"There is no graph {name!r} yet.", hint)
    await opened
    if not (await opened.graph.run("look/counts"))[0]["neurons"]:
        await opened.close()
        raise UsageError(f"The graph {name!r} is empty.", hint)
    return opened


async def size(graph: Connection) -> Size:
    """Return which graph it is and how big; `size(…).told` says it in words."""
    status = await look.status(graph.graph, head=0)
    return Size(
        graph.settings.graph,
        status.counts,
        status.hosts.hosts,
        status.rewards.total,
        status.rewards.mode,
    )


async def pages(
    graph: Connection,
    where: Where = (),
    *,
    limit: int | None = None,
    columns: Columns = None,
    sort: str = "reward",
    reverse: bool = False,
) -> "pd.DataFrame":
    """Return one row a page, as `graphcrawl pages` has them; see `columns.PAGES`.

    Args:
        graph: An open graph.
        where: Filters that must all hold: `"state=fetched reward>5"`.
        limit: Pages; 0: all; None: all, up to a million.
        columns: Those that are wanted; None: all.
        sort: A field to sort by; texts and depths start at the smallest, others at the greatest.
        reverse: Turn the order.

    Raises:
        UsageError: A filter, a column or the field cannot be used, or there are too many rows.
    """
    key, descending = _sort(sort)
    return await _rows(
        graph, "look/pages", known.PAGES, where, limit, columns,
        sort=key, descending=descending != reverse,
    )  # fmt: skip


async def axons(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each axon that leaves a page which passes; see `columns.AXONS`.

    Args:
        graph: An open graph.
        where: Filters of the pages that link.
        limit: Axons; 0: all; None: all, up to a million.
        columns: Those that are wanted; None: all.

    Raises:
        UsageError: A filter or a column cannot be used, or there are too many rows.
    """
    return await _rows(
        graph, "analysis/axons", known.AXONS, where, limit, columns, count="analysis/count_axons"
    )


async def hosts(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row a host, by the pages of it that pass, the best yield first: `columns.HOSTS`.

    Arguments and errors are those of `axons`; `limit` counts hosts.
    """
    return await _rows(graph, "analysis/hosts", known.HOSTS, where, limit, columns)


async def grants(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each thing that paid for a page; see `columns.GRANTS`.

    Arguments and errors are those of `axons`; `limit` counts grants.
    """
    return await _rows(
        graph, "analysis/grants", known.GRANTS, where, limit, columns, count="analysis/count_grants"
    )


async def depths(
    graph: Connection, where: Where = (), *, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each depth, in links from a seed; see `columns.DEPTHS`.

    Raises:
        UsageError: A filter or a column cannot be used.
    """
    return await _grouped(graph, "analysis/depths", known.DEPTHS, where, columns)


async def degrees(
    graph: Connection, where: Where = (), *, columns: Columns = None
) -> "pd.DataFrame":
    """Return how many pages have how many axons, in and out; see `columns.DEGREES`.

    Raises:
        UsageError: A filter or a column cannot be used.
    """
    return await _grouped(graph, "analysis/degrees", known.DEGREES, where, columns)


async def reward_bins(
    graph: Connection,
    where: Where = (),
    *,
    per_decade: int = PER_DECADE,
    columns: Columns = None,
) -> "pd.DataFrame":
    """Return how many pages have how much reward, in logarithmic bins; see `columns.REWARD_BINS`.

    Args:
        graph: An open graph.
        where: Filters of pages.
        per_decade: Bins for each power of ten, at least 1.
        columns: Those that are wanted; None: all.

    Raises:
        UsageError: A filter, a column or the number of bins cannot be used.
    """
    if per_decade < 1:
        raise UsageError(f"There cannot be {per_decade} bins for each power of ten.", "Give 5.")
    wanted, terms = chosen(known.REWARD_BINS, columns), _terms(where)
    rows = await graph.graph.run("analysis/rewards", terms=terms, perDecade=per_decade)
    for row in rows:
        place = row.pop("bin")
        row["from_reward"] = None if place is None else 10 ** (place / per_decade)
        row["to_reward"] = None if place is None else 10 ** ((place + 1) / per_decade)
    return frame(wanted, rows)


async def harvest(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return pages in the order of their first visits, with sums so far; see `columns.HARVEST`.

    What a page was worth is what it is known to be worth now. Pages that were pruned are missing.

    Args:
        graph: An open graph.
        where: Filters of pages.
        limit: Pages, from the first on; 0: all; None: all, up to a million.
        columns: Those that are wanted; None: all.

    Raises:
        UsageError: A filter or a column cannot be used, or there are too many rows.
    """
    wanted = chosen(known.HARVEST, columns)
    given = [column for column in known.HARVEST if column.name not in known.SUMS]
    found = await _rows(graph, "analysis/fetched", given, where, limit, None)
    found["number"] = range(1, len(found) + 1)
    found["elapsed_s"] = (found["fetched_at"] - found["fetched_at"].min()).dt.total_seconds()
    found["worth_so_far"] = found["worth"].cumsum()
    found["points_so_far"] = found["points"].cumsum()
    found["feeds_so_far"] = found["feed"].astype("int64").cumsum()
    return found.astype({c.name: c.dtype for c in known.HARVEST})[[c.name for c in wanted]]


async def orders(
    graph: Connection,
    orders: str = "composite,reward,bfs,random",
    *,
    columns: Columns = None,
) -> "pd.DataFrame":
    """Replay the crawl in memory by other orders: how soon each finds what was found.

    Every order can find only what was fetched, so all end alike. See `columns.ORDERS`.

    Args:
        graph: An open graph.
        orders: Names with commas between: composite, reward, quality, topic, bfs, dfs, random,
            opic, pagerank. The real order is there as `as crawled`.
        columns: Those that are wanted; None: all.

    Raises:
        UsageError: An order or a column is unknown, or more than a million pages were fetched.
    """
    wanted, names = chosen(known.ORDERS, columns), simulate.read_orders(orders)
    await _refuse_many(graph, "analysis/count_pages", _terms("state=fetched"))
    web = await crawled_web(graph.graph)
    mode = (await look.status(graph.graph, head=0)).rewards.mode or "neural"
    found = simulate.simulate(web, names, graph.settings, reward_mode=mode)
    return frame(
        wanted,
        (
            asdict(point)
            | {
                "order": one.order,
                "auc": one.auc,
                "share_of_pages": point.pages / max(1, len(web)),
                "share_of_worth": point.worth / (one.worth or 1.0),
            }
            for one in found
            for point in one.curve
        ),
    )


async def crawls(
    graph: Connection, *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each run of a crawl, the last one first; see `columns.CRAWLS`.

    Raises:
        UsageError: A column or the limit cannot be used.
    """
    wanted = chosen(known.CRAWLS, columns)
    rows = await graph.graph.run("analysis/crawls", limit=_most(limit) or MAX_ROWS)
    return frame(wanted, look.snake(rows))


async def neighbourhood(
    graph: Connection, url: str, *, hops: int = 1, limit: int = 60
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return the pages around a page and the axons between them all.

    Of each hop the richest pages come first. See `columns.AROUND` and `columns.AXONS`.

    Args:
        graph: An open graph.
        url: The page in the middle.
        hops: How many axons away, at least 1.
        limit: Pages in all, at most 300.

    Raises:
        UsageError: It is no URL, the graph has no such page, or a number cannot be used.
    """
    if hops < 1 or not 1 <= limit <= MAX_AROUND:
        raise UsageError(
            f"Cannot look {hops} hops and {limit} pages around a page.",
            f"Give hops=1 or more, and a limit from 1 to {MAX_AROUND}.",
        )
    start = explain.read_url(url)
    hop_of, edge = {start: 0}, [start]
    for hop in range(1, hops + 1):
        rows = await graph.graph.run(
            "analysis/around", urls=edge, known=list(hop_of), limit=limit - len(hop_of)
        )
        edge = [row["url"] for row in rows]
        hop_of |= dict.fromkeys(edge, hop)
    urls = list(hop_of)
    pages = look.snake(await graph.graph.run("analysis/named", urls=urls))
    if not pages or pages[0]["url"] != start:
        raise UsageError(
            f"The graph {graph.settings.graph!r} has no page {start}.",
            "See which there are: await analysis.pages(graph, limit=20)",
        )
    axons = look.snake(await graph.graph.run("analysis/between", urls=urls))
    around = (page | {"hop": hop_of[page["url"]]} for page in pages)
    return frame(known.AROUND, around), frame(known.AXONS, axons)


async def feeders(
    graph: Connection, url: str, *, limit: int = 20, columns: Columns = None
) -> "pd.DataFrame":
    """Return who would pass how much reward to a page in the next distribution: `columns.FEEDERS`.

    Args:
        graph: An open graph.
        url: The page.
        limit: Neighbours that are named, those that give most.
        columns: Those that are wanted; None: all.

    Raises:
        UsageError: It is no URL, the graph has no such page, or a column is unknown.
    """
    wanted = chosen(known.FEEDERS, columns)
    start = explain.read_url(url)
    found = await explain.explain(graph.graph, start, graph.settings, neighbours=limit)
    if not found.known:
        raise UsageError(
            f"The graph {graph.settings.graph!r} has no page {start}.",
            "See which there are: await analysis.pages(graph, limit=20)",
        )
    return frame(wanted, map(asdict, found.reward.flow.named) if found.reward else ())


async def prune_previews(
    graph: Connection, below: Iterable[float] = (0.001, 0.01, 0.1, 1.0, 10.0)
) -> "pd.DataFrame":
    """Return what `graphcrawl prune` would do now at several thresholds; see `columns.PREVIEWS`.

    Nothing is pruned. What is spared is counted by the settings of the graph.

    Args:
        graph: An open graph.
        below: Thresholds, in points of reward.

    Raises:
        UsageError: A threshold is no number.
    """
    limits = graph.settings.prune
    neurons = (await graph.graph.run("look/counts"))[0]["neurons"]
    rows = []
    for threshold in below:
        found = await rewards.preview(
            graph.graph,
            below=threshold,
            spare_distributions=limits.spare_distributions,
            spare_s=limits.spare_time,
        )
        spared = sum(found.spared_by_reason.values())
        rows.append(
            {"below": threshold, "goes": found.neurons, "axons": found.axons, "spared": spared}
            | {"stays": neurons - found.neurons, "share": found.neurons / max(1, neurons)}
        )
    return frame(known.PREVIEWS, rows)


async def tombstones(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each page that was pruned, the last one first; see `columns.TOMBSTONES`.

    Arguments and errors are those of `axons`; `limit` counts pages.
    """
    return await _rows(graph, "analysis/tombstones", known.TOMBSTONES, where, limit, columns)


async def _rows(
    graph: Connection,
    name: str,
    all_columns: Sequence[Column],
    filters: Where,
    limit: int | None,
    columns: Columns,
    *,
    count: str = "analysis/count_pages",
    **parameters: Any,
) -> "pd.DataFrame":
    """Return a frame of what a statement yields, after counting where nobody said how many."""
    wanted, terms, most = chosen(all_columns, columns), _terms(filters), _most(limit)
    if most is None:
        await _refuse_many(graph, count, terms)

    async def rows() -> "AsyncIterator[Row]":
        found = graph.graph.stream(name, terms=terms, limit=most or look.NO_LIMIT, **parameters)
        async for row in found:
            yield look.snake([row])[0]

    return await gather(wanted, rows())


async def _refuse_many(graph: Connection, count: str, terms: list[dict[str, Any]]) -> None:
    rows = (await graph.graph.run(count, terms=terms, most=MAX_ROWS + 1))[0]["rows"]
    if rows > MAX_ROWS:
        raise UsageError(
            f"That is a frame of more than {MAX_ROWS:,} rows.",
            'Give a filter such as where="state=fetched", limit=10000, or limit=0 for all.',
        )


async def _grouped(
    graph: Connection, name: str, all_columns: Sequence[Column], filters: Where, columns: Columns
) -> "pd.DataFrame":
    wanted = chosen(all_columns, columns)
    return frame(wanted, look.snake(await graph.graph.run(name, terms=_terms(filters))))


def _terms(filters: Where) -> list[dict[str, Any]]:
    conditions = [filters] if isinstance(filters, str) else filters
    return [term.as_parameter() for term in where.parse(conditions)]


def _sort(name: str) -> tuple[str, bool]:
    return where.sort_property(name)


def _most(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise UsageError(f"A frame cannot have {limit} rows.", "Give limit=100, or 0 for all.")
    return look.NO_LIMIT if limit == 0 else limit
