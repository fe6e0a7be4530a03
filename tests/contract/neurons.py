"""Small graphs for contract tests, put in and read out past graphcrawl's own statements."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import neo4j

from graphcrawl.graph import Address

Axon = tuple[int, int, float]  # source, target, weight


class Database:
    """Plain Cypher on the database under test."""

    def __init__(self, driver: neo4j.Driver, name: str) -> None:
        self.driver = driver
        self.name = name

    def run(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        with self.driver.session(database=self.name) as session:
            return session.run(text, parameters).data()

    def build(self, rewards: Sequence[float | None], axons: Sequence[Axon]) -> None:
        """Replace all neurons by numbered ones, `strength` and `inLinks` as record keeps them."""
        self.run("MATCH (n:PageNeuron|PageText|Host) DETACH DELETE n")
        self.run(
            "UNWIND range(0, size($rewards) - 1) AS i "
            "CREATE (:PageNeuron {url: 'http://h.example/' + i, neuronId: i, host: 'h.example',"
            " reward: $rewards[i], strength: 0.0, inLinks: 0})",
            rewards=rewards,
        )
        self.run(
            "UNWIND $axons AS a MATCH (s:PageNeuron {url: 'http://h.example/' + a[0]}) "
            "MATCH (t:PageNeuron {url: 'http://h.example/' + a[1]}) "
            "CREATE (s)-[:LINK_AXON {weight: a[2], anchor: 'link'}]->(t) "
            "SET s.strength = s.strength + a[2],"
            " t.strength = t.strength + a[2], t.inLinks = t.inLinks + 1",
            axons=[list(axon) for axon in axons],
        )

    def rewards(self) -> list[float | None]:
        rows = self.run("MATCH (p:PageNeuron) RETURN p.reward AS reward ORDER BY p.neuronId")
        return [row["reward"] for row in rows]

    def set(self, number: int, labels: str = "", **properties: Any) -> None:
        """Give a numbered neuron labels (`:Seed:Fetched`) and properties."""
        self.run(
            "MATCH (p:PageNeuron {neuronId: $number}) SET p += $properties"
            + (f" SET p{labels}" if labels else ""),
            number=number,
            properties=properties,
        )

    def everything(self) -> tuple[list[Any], list[Any]]:
        """Return all neurons with labels, properties and text, and all axons, in a fixed order."""
        neurons = self.run(
            "MATCH (p:PageNeuron) RETURN p.url AS url, labels(p) AS labels, properties(p) AS p, "
            "COLLECT { MATCH (p)-[:HAS_TEXT]->(t) RETURN properties(t) } AS texts ORDER BY url"
        )
        axons = self.run(
            "MATCH (s)-[a:LINK_AXON]->(t) "
            "RETURN s.url AS s, t.url AS t, properties(a) AS a ORDER BY s, t"
        )
        return [row | {"labels": sorted(row["labels"])} for row in neurons], axons

    def miscounted(self) -> list[dict[str, Any]]:
        """Return living neurons whose `strength` or `inLinks` is not what their axons say."""
        return self.run(
            "MATCH (p:PageNeuron) WHERE NOT p:Pruned "
            "WITH p, COLLECT { MATCH (p)-[a:LINK_AXON]-() RETURN a.weight } AS weights, "
            "COUNT { (p)<-[:LINK_AXON]-() } AS inLinks "
            "WITH p, reduce(s = 0.0, w IN weights | s + w) AS strength, inLinks "
            "WHERE abs(strength - p.strength) > 1e-12 OR inLinks <> p.inLinks "
            "RETURN p.url, p.strength, strength, p.inLinks, inLinks"
        )

    @contextmanager
    def transaction(self) -> Iterator[neo4j.Transaction]:
        with self.driver.session(database=self.name) as session, session.begin_transaction() as tx:
            yield tx

    def blocked(self) -> list[str]:
        """Return the ids of transactions that wait for a lock."""
        rows = self.run(
            "SHOW TRANSACTIONS YIELD transactionId, status WHERE status STARTS WITH 'Blocked' "
            "RETURN transactionId"
        )
        return [row["transactionId"] for row in rows]


@contextmanager
def database(address: Address) -> Iterator[Database]:
    with neo4j.GraphDatabase.driver(
        address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
    ) as driver:
        yield Database(driver, address.database)
