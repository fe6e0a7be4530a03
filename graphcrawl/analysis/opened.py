"""Opens a graph that was crawled, and says which it is and how big."""

from dataclasses import dataclass
from typing import Any

from graphcrawl import look
from graphcrawl.api import Connection, connect
from graphcrawl.config import Paths
from graphcrawl.connection import external_address
from graphcrawl.errors import UsageError, command_on


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
