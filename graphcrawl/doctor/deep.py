"""Whether all of the graph keeps what it promises."""

from graphcrawl import soundness
from graphcrawl.config import Settings
from graphcrawl.doctor.check import Check
from graphcrawl.graph import Graph

_MENDED_BY_CRAWL = {"hosts", "leases"}  # which puts them right when it starts


async def promises(graph: Graph, settings: Settings) -> list[Check]:
    """Return a row for each promise that is not kept, or one that all are."""
    found = await soundness.breaches(graph)
    if not found:
        return [Check("graph", "ok", f"it keeps all {len(soundness.CHECKS)} promises")]
    rows = []
    for breach in found:
        mends = breach.check in _MENDED_BY_CRAWL
        hint = (
            f"The next crawl puts that right: {settings.command('crawl')}"
            if mends
            else f"Go back to a backup: {settings.command('db restore FILE')}"
        )
        rows.append(Check("graph", "warn" if mends else "bad", f"{breach}.", hint))
    return rows
