"""A crawl whose Neo4j goes away waits for it, and says so."""

from contextlib import AbstractContextManager

from graphcrawl.crawl.loop import Crawl
from graphcrawl.graph import Graph
from graphcrawl.limits import AWAY


def away_with(graph: Graph, crawl: Crawl, wait_s: float) -> AbstractContextManager[None]:
    """Return a block within which a crawl bears the absence of its server.

    Args:
        graph: The graph that is crawled.
        crawl: What waits; somebody who stops it by hand does not want to wait any longer.
        wait_s: Seconds at most; 0: the crawl ends at once.
    """

    def on_wait() -> None:
        crawl.stats.limit = AWAY

    return graph.waiting(wait_s, lambda: crawl.stats.was_stopped, on_wait)
