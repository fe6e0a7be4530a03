"""`crawl --metrics PORT`: the run's counters for Prometheus, from before the first page."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from graphcrawl.cli import output

if TYPE_CHECKING:
    from graphcrawl.crawl import Stats


@asynccontextmanager
async def measuring(port: int | None, *, quiet: bool) -> AsyncIterator[Callable[["Stats"], None]]:
    """Serve the metrics of a run until the end of the block.

    Args:
        port: Where, on loopback; 0 takes any that is free, none serves nothing.
        quiet: Do not say where.

    Yields:
        A function that takes the run's counters once there are some.

    Raises:
        UsageError: The port is taken.
    """
    if port is None:
        yield lambda _: None
        return
    from graphcrawl import metrics
    from graphcrawl.crawl import Stats

    shown = [Stats()]
    async with metrics.serving(port, lambda: metrics.render(shown[-1].total)) as chosen:
        if not quiet:
            output.note(f"Metrics: http://{metrics.ADDRESS}:{chosen}/metrics", port=chosen)
        yield shown.append
