"""What recording tells the next push in a graph whose steady reward is kept by local pushes.

See `rewards.push`. All of it stands in the recorder's transaction, so that what flows in is right
whenever nobody records. Graphs that keep no residuals pay nothing for it: the gate says so.
"""

from collections.abc import Collection, Sequence

from graphcrawl.graph import Row, Transaction


def weights_of(rows: Sequence[Row], sources: Sequence[str]) -> list[Row]:
    """Return url and weight of all new axons, for each source.

    Args:
        rows: Targets with their axons, as `settle.targets` makes them.
        sources: URLs; an axon's `source` is a place in it.
    """
    weights = [{"url": url, "weight": 0.0} for url in sources]
    for row in rows:
        for made in row["axons"]:
            weights[made["source"]]["weight"] += made["weight"]
    return weights


async def before_links(
    tx: Transaction, damping: float | None, rows: Sequence[Row], sources: Sequence[str]
) -> None:
    """Spread the flow of pages over the axons that they are about to get.

    Args:
        tx: A recorder's.
        damping: As the gate told: None where no residuals are kept.
        rows: See `weights_of`.
        sources: See `weights_of`.
    """
    if damping is not None:
        await tx.run("reward/push_rescale", sources=weights_of(rows, sources))


async def after_links(
    tx: Transaction, damping: float | None, rows: Sequence[Row], sources: Sequence[str]
) -> None:
    """Tell both ends of new axons what flows in by them; arguments as for `before_links`."""
    if damping is not None:
        targets = [
            {
                "url": row["url"],
                "axons": [{"source": a["source"], "weight": a["weight"]} for a in row["axons"]],
            }
            for row in rows
        ]
        await tx.run("reward/push_linked", sources=sources, targets=targets, damping=damping)


async def granted(tx: Transaction, damping: float | None, urls: Collection[str]) -> None:
    """Let the next push look at pages that were granted something."""
    if damping is not None and urls:
        await tx.run("reward/push_touch", urls=sorted(urls))
