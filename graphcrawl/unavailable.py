"""Texts that their owners let be kept until a stated time: dropped when it comes [002.robots]."""

from graphcrawl.graph import Graph

EVERY_S = 60.0
_BATCH = 1000


async def drop_unavailable(graph: Graph, now_ms: int | None = None) -> int:
    """Drop the texts of pages whose `unavailable_after` has passed; return how many pages.

    Args:
        graph: An open graph.
        now_ms: For tests: milliseconds since 1970 in place of the server's clock.
    """
    pages = 0
    while True:
        dropped: int = (await graph.run("write/unavailable", limit=_BATCH, nowMs=now_ms))[0][
            "pages"
        ]
        pages += dropped
        if dropped < _BATCH:
            return pages
