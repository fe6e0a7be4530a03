"""What lies around one page, and other orders of the whole crawl."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from graphcrawl import columns as known
from graphcrawl import explain, look, simulate
from graphcrawl.analysis.rows import Columns, refuse_many, terms_of
from graphcrawl.api import Connection
from graphcrawl.crawled import crawled_web
from graphcrawl.errors import UsageError
from graphcrawl.frames import chosen, frame

if TYPE_CHECKING:
    import pandas as pd

MAX_AROUND = 300  # pages of a neighbourhood that can still be looked at


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
    await refuse_many(graph, "analysis/count_pages", terms_of("state=fetched"))
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
