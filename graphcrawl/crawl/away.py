"""What a crawl bears: that its Neo4j goes away, and that the disk is nearly full."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphcrawl.config import Settings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.room import store_of, with_room
from graphcrawl.graph import Graph
from graphcrawl.limits import AWAY


@asynccontextmanager
async def enduring(graph: Graph, crawl: Crawl, settings: Settings) -> AsyncIterator[None]:
    """Let a crawl wait for its server and for room on the disk, until the end of the block.

    Args:
        graph: The graph that is crawled.
        crawl: What waits; where somebody stops it by hand, it waits for its server no more.
        settings: How long it waits, and how much room it needs.
    """

    def on_wait() -> None:
        crawl.stats.limit = AWAY

    def gives_up() -> bool:
        return crawl.stats.was_stopped

    with graph.waiting(settings.crawl.server_wait, gives_up, on_wait):
        async with with_room(crawl, store_of(graph, settings), settings.crawl.min_free_disk):
            yield
