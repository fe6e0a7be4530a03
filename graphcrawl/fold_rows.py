"""What `folding` reads and writes, in Neo4j."""

from collections.abc import Collection
from dataclasses import dataclass

from graphcrawl.folding import Changes, Facts, Pair, RawLink
from graphcrawl.graph import Row, Transaction


@dataclass(frozen=True, slots=True)
class GraphStore:
    """The graph, inside a recorder's transaction."""

    tx: Transaction
    feed_hint_points: float

    async def facts(self, urls: Collection[str]) -> dict[str, Facts]:
        """Return facts by URL, of the pages that exist."""
        rows = await self.tx.run("fold/facts", urls=sorted(urls)) if urls else []
        return {
            row["url"]: Facts(
                row["url"],
                row["host"],
                row["reward"],
                row["handedOver"],
                row["aliasOf"],
                row["digest"],
                row["feedUrl"],
                row["fetched"],
                row["pruned"],
                row["seed"],
                row["redirect"],
                row["canonical"],
            )
            for row in rows
        }

    async def claimants(self, urls: Collection[str]) -> list[tuple[str, bool]]:
        """Return what points to these pages, and whether by a redirect."""
        rows = await self.tx.run("fold/claimants", urls=sorted(urls))
        return [(row["url"], row["redirects"]) for row in rows]

    async def followers(self, urls: Collection[str]) -> dict[str, str]:
        """Return the aliases of these representatives, each with its representative."""
        rows = await self.tx.run("fold/followers", urls=sorted(urls))
        return {row["url"]: row["aliasOf"] for row in rows}

    async def links(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that are axons themselves."""
        return [_link(row, True) for row in await self.tx.run("fold/link_axons", urls=sorted(urls))]

    async def carried(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that another axon carries."""
        rows = await self.tx.run("fold/alias_axons", urls=sorted(urls))
        return [_link(row, False) for row in rows]

    async def between(self, pairs: Collection[Pair]) -> dict[Pair, Row]:
        """Return the properties of the axons between pairs of pages."""
        rows = await self.tx.run("fold/between", pairs=[list(pair) for pair in sorted(pairs)])
        return {(row["source"], row["target"]): row["properties"] for row in rows}

    async def write(self, changes: Changes) -> list[str]:
        """Write; return the hosts whose best priority may have changed."""
        if changes.drop_axons:
            await self.tx.run("fold/drop_axons", pairs=[list(p) for p in changes.drop_axons])
        if changes.drop_alias_axons:
            pairs = [list(p) for p in changes.drop_alias_axons]
            await self.tx.run("fold/drop_alias_axons", pairs=pairs)
        if changes.put_axons:
            await self.tx.run("fold/put_axons", axons=changes.put_axons)
        if changes.put_alias_axons:
            await self.tx.run("fold/put_alias_axons", axons=changes.put_alias_axons)
        rows = await self.tx.run(
            "fold/pages", pages=changes.pages, feedHintPoints=self.feed_hint_points
        )
        return [row["host"] for row in rows]


def _link(row: Row, is_axon: bool) -> RawLink:
    return RawLink(
        row["source"],
        row["target"],
        row["properties"],
        row["sourceOf"],
        row["targetOf"],
        is_axon,
    )
