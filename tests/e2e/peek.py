"""Looks into the graph by queries of the tests' own."""

from typing import Any

import neo4j

from graphcrawl.graph import Graph

AXONS_OF_HOST = """
MATCH (p:PageNeuron {host: $host})-[:LINK_AXON]->(q:PageNeuron)
RETURN p.url AS source, q.url AS target
"""
TITLES = "MATCH (p:Fetched) WHERE p.title IS NOT NULL RETURN DISTINCT p.title AS title"
DUPLICATES = """
MATCH (p:PageNeuron)-[a:LINK_AXON]->(q:PageNeuron)
WITH p, q, count(a) AS axons WHERE axons > 1 OR p = q
RETURN p.url AS source, q.url AS target, axons
"""


async def peek(graph: Graph, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run a query on the graph's server and return its rows."""
    at = graph.address
    async with neo4j.AsyncGraphDatabase.driver(at.uri, auth=(at.user, at.password)) as driver:
        found = await driver.execute_query(query, parameters, database_=at.database)
    return [record.data() for record in found.records]
