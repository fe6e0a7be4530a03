"""What `folding` reads and writes, in the memory twin."""

from collections.abc import Collection, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from graphcrawl.folding import Changes, Facts, Pair, RawLink
from graphcrawl.graph import Row
from graphcrawl.memory_order import count_parents

Axons = dict[Pair, Row]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MemoryStore:
    """Neurons by URL, axons and carried links by their ends, pointers by URL."""

    neurons: dict[str, Row]
    axons: Axons
    alias_axons: Axons
    redirects: dict[str, str]
    canonicals: dict[str, str]
    feed_hint_points: float

    async def facts(self, urls: Collection[str]) -> dict[str, Facts]:
        """Return facts by URL, of the pages that exist."""
        return {url: self._facts(self.neurons[url]) for url in urls if url in self.neurons}

    def _facts(self, page: Row) -> Facts:
        return Facts(
            page["url"],
            page["host"],
            page.get("reward", 0.0),
            page.get("handedOver", 0.0),
            page.get("aliasOf"),
            page.get("digest"),
            page.get("feedUrl"),
            "Fetched" in page["labels"] and not page.get("error", "").startswith("http-4xx"),
            "Pruned" in page["labels"],
            "Seed" in page["labels"],
            self.redirects.get(page["url"]),
            self.canonicals.get(page["url"]),
        )

    async def claimants(self, urls: Collection[str]) -> list[tuple[str, bool]]:
        """Return what points to these pages, and whether by a redirect."""
        return [
            (url, redirects)
            for pointers, redirects in ((self.redirects, True), (self.canonicals, False))
            for url, target in pointers.items()
            if target in urls
        ]

    async def followers(self, urls: Collection[str]) -> dict[str, str]:
        """Return the aliases of these representatives, each with its representative."""
        return {p["url"]: p["aliasOf"] for p in self.neurons.values() if p.get("aliasOf") in urls}

    async def links(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that are axons themselves."""
        return [link for link in self._of(self.axons, urls, True) if link.properties["links"]]

    async def carried(self, urls: Collection[str]) -> list[RawLink]:
        """Return the links from and to these pages that another axon carries."""
        return self._of(self.alias_axons, urls, False)

    def _of(self, axons: Axons, urls: Collection[str], is_axon: bool) -> list[RawLink]:
        return [
            RawLink(
                source,
                target,
                dict(axon),
                self.neurons[source].get("aliasOf"),
                self.neurons[target].get("aliasOf"),
                is_axon,
            )
            for (source, target), axon in axons.items()
            if source in urls or target in urls
        ]

    async def between(self, pairs: Collection[Pair]) -> dict[Pair, Row]:
        """Return the properties of the axons between pairs of pages."""
        return {pair: dict(self.axons[pair]) for pair in pairs if pair in self.axons}

    async def write(self, changes: Changes) -> list[str]:
        """Write; return the hosts whose best priority may have changed."""
        for axons, dropped, made in (
            (self.axons, changes.drop_axons, changes.put_axons),
            (self.alias_axons, changes.drop_alias_axons, changes.put_alias_axons),
        ):
            for pair in dropped:
                axons.pop(pair, None)
            for row in made:
                axons[row["source"], row["target"]] = dict(row["properties"])
        hosts = set()
        for row in changes.pages:
            page = self.neurons[row["url"]]
            page["reward"] = page.get("reward", 0.0) + row["reward"]
            page["strength"] = page.get("strength", 0.0) + row["strength"]
            page["inLinks"] = page.get("inLinks", 0) + row["inLinks"]
            put(page, "aliasOf", row["aliasOf"])
            if row["aliasOf"] is None:
                page["labels"].discard("Alias")
                forget(page, "handedOver")
            else:
                page["labels"].add("Alias")
                page["handedOver"] = row["handedOver"]
            if row["seed"]:
                page["labels"].add("Seed")
            if "parentCount" in page and page["labels"] & {"Frontier", "Leased"}:
                sources = (source for source, target in self.axons if target == page["url"])
                count_parents(page, map(self.neurons.__getitem__, sources))
            if "Frontier" in page["labels"] and "readyAt" not in page and row["reward"]:
                hint = page.get("feedHint", 0.0)
                reward = page["reward"] + self.feed_hint_points * hint
                page["priority"] = page.get("score", reward)
                hosts.add(page["host"])
        return sorted(hosts)


def spread(
    neurons: dict[str, Row], redirects: dict[str, str], leading: dict[str, str]
) -> dict[str, str]:
    """Note which pages lead to feeds, and what redirects to those; return the new ones."""
    new: dict[str, str] = {}
    todo = list(leading.items())
    while todo:
        url, feed_url = todo.pop()
        if "feedUrl" not in neurons[url]:
            neurons[url]["feedUrl"] = new[url] = feed_url
            todo += [(source, feed_url) for source, target in redirects.items() if target == url]
    return new


def put(node: Row, key: str, value: object) -> None:
    """Set a property, or remove it where there is no value."""
    if value is None:
        node.pop(key, None)
    else:
        node[key] = value


def forget(node: Row, *keys: str) -> None:
    """Remove properties."""
    for key in keys:
        node.pop(key, None)


def run_now(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("it waits for something")
