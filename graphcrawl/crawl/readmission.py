"""Pages that an earlier crawl kept out, and that this one need not keep out any more."""

from collections.abc import Callable, Collection

from graphcrawl.crawl.origins import opened_since
from graphcrawl.crawl.plan import Pace
from graphcrawl.graph import Graph
from graphcrawl.models import Reason
from graphcrawl.names import names_for
from graphcrawl.robots_rules import AGENT
from graphcrawl.urls import Scope, host_key

_READMIT_PAGES = 1000  # a transaction


async def readmit(
    graph: Graph,
    scope: Scope,
    *,
    private: bool,
    contact: bool = False,
    own_hosts: Collection[str] = (),
    agent: str = AGENT,
    pace: Callable[[str], Pace] | None = None,
) -> int:
    """Let pages wait again that an earlier crawl kept out and this one need not; return how many.

    Args:
        graph: The graph that is going to be crawled.
        scope: What may be fetched now.
        private: Whether pages on private addresses may be tried again.
        contact: Whether pages of public hosts may that no contact was there for.
        own_hosts: Hosts whose robots.txt is not asked for by now.
        agent: Product token to look for in robots.txt.
        pace: How many pages of a host may be asked for.
    """
    is_open = opened_since(graph, own_hosts, agent)
    admitted = 0
    batch: list[str] = []

    async def flush() -> None:
        nonlocal admitted
        if batch:
            admitted += (await graph.run("frontier/readmit", urls=batch))[0]["pages"]
            names = sorted({host_key(url) for url in batch})
            rows = [{"name": name, "names": list(names_for(name))} for name in names]
            await graph.run("frontier/obey_names", hosts=rows)
            batch.clear()

    async for row in graph.stream("frontier/kept_out", private=private, contact=contact):
        limit = pace(row["host"]).max_pages if pace and row["reason"] == Reason.HOST_LIMIT else 0
        if (
            scope.verdict(row["url"], row["depth"]) is None
            and not 0 < limit <= row["requests"]
            and (row["reason"] != Reason.ROBOTS or await is_open(row["url"]))
        ):
            batch.append(row["url"])
        if len(batch) == _READMIT_PAGES:
            await flush()
    await flush()
    return admitted
