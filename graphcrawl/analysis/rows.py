"""Frames of one row for each thing: pages, axons, hosts, grants, runs, tombstones, visits."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from graphcrawl import columns as known
from graphcrawl import look
from graphcrawl.api import Connection
from graphcrawl.errors import UsageError
from graphcrawl.frames import Column, chosen, frame, gather
from graphcrawl.where import parse, sort_property

if TYPE_CHECKING:
    import pandas as pd

    from graphcrawl.graph import Row

MAX_ROWS = 1_000_000  # of a frame, unless more are asked for

Where = str | Iterable[str]
Columns = Sequence[str] | None


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
    key, descending = sort_property(sort)
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


async def tombstones(
    graph: Connection, where: Where = (), *, limit: int | None = None, columns: Columns = None
) -> "pd.DataFrame":
    """Return one row for each page that was pruned, the last one first; see `columns.TOMBSTONES`.

    Arguments and errors are those of `axons`; `limit` counts pages.
    """
    return await _rows(graph, "analysis/tombstones", known.TOMBSTONES, where, limit, columns)


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
    wanted, terms, most = chosen(all_columns, columns), terms_of(filters), _most(limit)
    if most is None:
        await refuse_many(graph, count, terms)

    async def rows() -> "AsyncIterator[Row]":
        found = graph.graph.stream(name, terms=terms, limit=most or look.NO_LIMIT, **parameters)
        async for row in found:
            yield look.snake([row])[0]

    return await gather(wanted, rows())


async def refuse_many(graph: Connection, count: str, terms: list[dict[str, Any]]) -> None:
    """Refuse to gather what was not asked for.

    Raises:
        UsageError: A statement counts more rows than a frame may have.
    """
    rows = (await graph.graph.run(count, terms=terms, most=MAX_ROWS + 1))[0]["rows"]
    if rows > MAX_ROWS:
        raise UsageError(
            f"That is a frame of more than {MAX_ROWS:,} rows.",
            'Give a filter such as where="state=fetched", limit=10000, or limit=0 for all.',
        )


def terms_of(filters: Where) -> list[dict[str, Any]]:
    """Return filters as statements take them.

    Raises:
        UsageError: One cannot be read.
    """
    conditions = [filters] if isinstance(filters, str) else filters
    return [term.as_parameter() for term in parse(conditions)]


def _most(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise UsageError(f"A frame cannot have {limit} rows.", "Give limit=100, or 0 for all.")
    return look.NO_LIMIT if limit == 0 else limit
