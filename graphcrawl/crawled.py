"""What a crawl has fetched, as a web that can be crawled again in memory, in any order.

The graph keeps of links what they say and where they stand, not the words around them; of how much
they are about the topic it keeps the greatest for each page. Links to pages that were never fetched
lead nowhere here.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from graphcrawl.graph import Graph, Row
from graphcrawl.parse.cues import cues_of
from graphcrawl.parse.hints import feed_hint
from graphcrawl.recorded_web import Found, ReplayLink
from graphcrawl.scoring.evidence import lineage_cue


@dataclass(frozen=True, slots=True)
class CrawledWeb:
    """Fetched pages by number, in the order in which they were fetched."""

    urls: list[str]
    hosts: list[str]
    found: list[Found]
    seeds: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.urls)

    def url(self, page: int) -> str:
        """Return the canonical URL of a page."""
        return self.urls[page]

    def host(self, page: int) -> str:
        """Return the host key of a page."""
        return self.hosts[page]

    def fetch(self, page: int) -> Found:
        """Return what a page gave."""
        return self.found[page]


async def crawled_web(graph: Graph) -> CrawledWeb:
    """Read all that was fetched out of a graph."""
    pages = await graph.run("explain/crawled_pages")
    links = [row async for row in graph.stream("explain/crawled_links")]
    return web_of(pages, links)


def web_of(pages: list[Row], links: Iterable[Row]) -> CrawledWeb:
    """Make a web of rows of `explain/crawled_pages` and `explain/crawled_links`.

    Where no page is a seed, the one that was fetched first is.
    """
    place = {page["url"]: number for number, page in enumerate(pages)}
    going: list[dict[int, ReplayLink]] = [{} for _ in pages]
    for link in links:
        source, target = place.get(link["source"]), place.get(link["target"])
        if source is None or target is None or source == target or pages[source]["redirect"]:
            continue
        anchor = link["anchor"] or ""
        going[source].setdefault(
            target,
            ReplayLink(
                target,
                link["weight"],
                feed_hint(link["target"], anchor, link["rel"] or ""),
                pages[target]["topicHint"],
                (
                    lineage_cue(link["source"]),
                    *cues_of(anchor, "", "", link["position"] or "body"),
                ),
            ),
        )
    found = [
        _redirect(place.get(page["redirect"]))
        if page["redirect"]
        else Found(
            list(going[number].values()),
            page["worth"],
            page["points"],
            number if page["feed"] else -1,
        )
        for number, page in enumerate(pages)
    ]
    seeds = [number for number, page in enumerate(pages) if page["seed"]]
    return CrawledWeb(
        list(place),
        [page["host"] for page in pages],
        found,
        tuple(seeds or range(min(1, len(pages)))),
    )


def _redirect(target: int | None) -> Found:
    return Found([] if target is None else [ReplayLink(target)], redirects=True)
