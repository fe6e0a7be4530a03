"""Two worlds for one contract: the frontier in Neo4j and its memory twin, seen the same way."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

import neo4j

from graphcrawl.facts import Rescored, Score
from graphcrawl.frontier import Frontier, Neo4jFrontier
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.graph import Graph
from graphcrawl.memory import MemoryGraph
from graphcrawl.recorded import RecordOptions

BEGIN_MS = 1_800_000_000_000
STATES = {"Frontier", "Leased", "Fetched", "Failed", "Excluded", "Pruned"}

Node = dict[str, Any]


class Clock:
    """The time of a test: stands still until it is moved."""

    def __init__(self) -> None:
        self.ms = BEGIN_MS

    def __call__(self) -> int:
        return self.ms

    def pass_s(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.ms / 1000, UTC)


class World(Protocol):
    clock: Clock

    def frontier(self, worker: str, rescored: Rescored | None = None) -> Frontier: ...
    def order_by(self, options: RecordOptions, score: Score | None) -> None: ...
    async def pages(self) -> dict[str, Node]: ...
    async def axons(self) -> dict[tuple[str, str], Node]: ...
    async def hosts(self) -> dict[str, Node]: ...
    async def bury(self, url: str, host: str, below: float, *, fetched: bool) -> None: ...


class MemoryWorld:
    def __init__(self) -> None:
        self.clock = Clock()
        self.graph = MemoryGraph(now_ms=self.clock)

    def frontier(self, worker: str, rescored: Rescored | None = None) -> Frontier:
        return MemoryFrontier(self.graph, worker, rescored)

    def order_by(self, options: RecordOptions, score: Score | None) -> None:
        self.graph = replace(self.graph, options=options, score=score)

    async def pages(self) -> dict[str, Node]:
        return self.graph.neurons

    async def axons(self) -> dict[tuple[str, str], Node]:
        return self.graph.axons

    async def hosts(self) -> dict[str, Node]:
        return self.graph.hosts

    async def bury(self, url: str, host: str, below: float, *, fetched: bool) -> None:
        tomb = self.graph.neuron(url)
        tomb |= {"host": host, "prunedBelow": below, "prunedAt": self.clock.now}
        tomb["labels"].add("Pruned")
        if fetched:
            tomb["fetchedAt"] = self.clock.now


class Neo4jWorld:
    def __init__(self, graph: Graph, driver: neo4j.AsyncDriver) -> None:
        self.clock = Clock()
        self.graph = graph
        self._driver = driver
        self._options: RecordOptions | None = None
        self._score: Score | None = None

    def frontier(self, worker: str, rescored: Rescored | None = None) -> Frontier:
        return Neo4jFrontier(
            self.graph,
            "test-crawl",
            worker,
            self._options,
            now_ms=self.clock,
            score=self._score,
            rescored=rescored,
        )

    def order_by(self, options: RecordOptions, score: Score | None) -> None:
        self._options, self._score = options, score

    async def ask(self, query: str, **parameters: Any) -> list[Node]:
        records = (await self._driver.execute_query(query, parameters)).records
        return [native(record.data()) for record in records]

    async def pages(self) -> dict[str, Node]:
        rows = await self.ask("MATCH (p:PageNeuron) RETURN p {.*, labels: labels(p)} AS p")
        return {row["p"]["url"]: row["p"] | {"labels": set(row["p"]["labels"])} for row in rows}

    async def axons(self) -> dict[tuple[str, str], Node]:
        rows = await self.ask(
            "MATCH (s)-[a:LINK_AXON]->(t) RETURN s.url AS s, t.url AS t, properties(a) AS a"
        )
        assert len({(row["s"], row["t"]) for row in rows}) == len(rows), "two axons for one pair"
        return {(row["s"], row["t"]): row["a"] for row in rows}

    async def hosts(self) -> dict[str, Node]:
        rows = await self.ask("MATCH (h:Host) RETURN properties(h) AS h")
        return {row["h"]["name"]: row["h"] for row in rows}

    async def bury(self, url: str, host: str, below: float, *, fetched: bool) -> None:
        await self.ask(
            "CREATE (p:PageNeuron:Pruned {url: $url, host: $host, prunedBelow: $below,"
            " prunedAt: $now, fetchedAt: CASE WHEN $fetched THEN $now END})",
            url=url,
            host=host,
            below=below,
            fetched=fetched,
            now=self.clock.now,
        )


def native(value: Any) -> Any:
    """Return the driver's times as Python's."""
    if isinstance(value, dict):
        return {key: native(inner) for key, inner in value.items()}
    return value.to_native() if hasattr(value, "to_native") else value


def state(page: Node) -> str:
    """Return the labels that say what becomes of a page."""
    return "+".join(sorted(page["labels"] & STATES))
