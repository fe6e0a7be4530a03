"""Tells the graph, every few seconds, that a run is alive and what limits it."""

from collections.abc import Callable

from graphcrawl import works
from graphcrawl.crawl.plan import Beside
from graphcrawl.crawl.stats import Stats
from graphcrawl.graph import Graph

BEAT_EVERY_S = 2.0  # `look/runs` takes a run for dead that has been silent for 15 s
_BEAT_SHARE = 0.02  # of wall time: one small write


def alive(graph: Graph, crawl_id: str, stats: Callable[[], Stats]) -> Beside:
    """Return the work beside a crawl that tells of it.

    Args:
        graph: The graph that is crawled.
        crawl_id: Of the run.
        stats: Returns what the run has done so far.
    """

    async def beat() -> None:
        now = stats()
        limit = now.limit
        told = works.tell(now.works, now.beside_s, now.seconds)
        await graph.run("write/works", id=crawl_id, works=told)
        await graph.run("write/beat", id=crawl_id, cause=limit.cause, phrase=limit.phrase)

    return Beside("beat", beat, BEAT_EVERY_S, every_pages=0, share=_BEAT_SHARE)
