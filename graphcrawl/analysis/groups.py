"""Frames of what pages are together: by depth, degree, reward, and by what pruning takes."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graphcrawl import columns as known
from graphcrawl import look, rewards
from graphcrawl.analysis.rows import Columns, Where, terms_of
from graphcrawl.api import Connection
from graphcrawl.errors import UsageError
from graphcrawl.frames import Column, chosen, frame

if TYPE_CHECKING:
    import pandas as pd

PER_DECADE = 5  # bins of reward for each power of ten


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
    wanted, terms = chosen(known.REWARD_BINS, columns), terms_of(where)
    rows = await graph.graph.run("analysis/rewards", terms=terms, perDecade=per_decade)
    for row in rows:
        place = row.pop("bin")
        row["from_reward"] = None if place is None else 10 ** (place / per_decade)
        row["to_reward"] = None if place is None else 10 ** ((place + 1) / per_decade)
    return frame(wanted, rows)


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


async def _grouped(
    graph: Connection, name: str, all_columns: Sequence[Column], filters: Where, columns: Columns
) -> "pd.DataFrame":
    wanted = chosen(all_columns, columns)
    return frame(wanted, look.snake(await graph.graph.run(name, terms=terms_of(filters))))
