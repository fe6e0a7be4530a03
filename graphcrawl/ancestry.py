"""The way by which a crawl came to a page: link by link, or redirect, from a page it began with."""

import heapq
from dataclasses import dataclass
from typing import Literal

from graphcrawl.graph import Graph, Row
from graphcrawl.look import snake

MAX_LOOKS = 500  # pages whose parents are looked up before the way counts as lost
_FAR = 2**31 - 1  # depth of a page that has none

StepKind = Literal["seed", "link", "redirect", "unknown"]


@dataclass(frozen=True, slots=True)
class Step:
    """One page of the way, and how the page before leads to it."""

    url: str
    title: str | None
    depth: int | None  # links from a seed, as the graph keeps it
    by: StepKind  # seed: a crawl began here; unknown: nothing that is kept leads here
    anchor: str | None = None  # text of the link
    position: str | None = None  # region of the page it stands in
    alias: str | None = None  # what the link names, where that leads on to this page


async def path_to(graph: Graph, page: Row, *, max_looks: int = MAX_LOOKS) -> tuple[Step, ...]:
    """Return the way from a seed to a page, the seed first.

    From the page back, what is nearest to a seed is followed first, and of equals the link that was
    seen first; so it is a shortest way in all but odd graphs. Where the pages in between are gone
    (pruned or forgotten), or a sitemap named the page, the way begins at a page whose own parents
    are not known.

    Args:
        graph: An open graph.
        page: Its `url`, `depth`, `title` and `seed`.
        max_looks: Pages whose parents are looked up at most.
    """
    pages: dict[str, Row] = {page["url"]: page}
    leads_to: dict[str, Row] = {}  # the link by which a page leads on, and `to` where
    heap: list[tuple[int, int, str]] = [(_depth(page), 0, page["url"])]
    nearest = page["url"]
    for _ in range(max_looks):
        if not heap:
            break
        here = heapq.heappop(heap)[2]
        if pages[here]["seed"]:
            nearest = here
            break
        if _depth(pages[here]) < _depth(pages[nearest]):
            nearest = here
        for row in snake(await graph.run("explain/parents", url=here)):
            if row["url"] not in pages:
                pages[row["url"]] = row
                leads_to[row["url"]] = row | {"to": here}
                heapq.heappush(heap, (_depth(row), len(pages), row["url"]))
    return tuple(_way(pages, leads_to, nearest))


def _way(pages: dict[str, Row], leads_to: dict[str, Row], first: str) -> list[Step]:
    start = pages[first]
    by: StepKind = "seed" if start["seed"] else "unknown"
    steps = [Step(first, start["title"], start["depth"], by)]
    here = first
    while link := leads_to.get(here):
        here = link["to"]
        to = pages[here]
        about = {key: link[key] for key in ("anchor", "position", "alias")}
        steps.append(Step(here, to["title"], to["depth"], link["kind"], **about))
    return steps


def _depth(page: Row) -> int:
    return _FAR if page["depth"] is None else page["depth"]
