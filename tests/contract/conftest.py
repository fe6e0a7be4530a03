from collections.abc import AsyncIterator

import neo4j
import pytest
from worlds import MemoryWorld, Neo4jWorld, World

from graphcrawl.graph import Graph


@pytest.fixture
async def neo4j_world(graph: Graph) -> AsyncIterator[Neo4jWorld]:
    address = graph.address
    async with neo4j.AsyncGraphDatabase.driver(
        address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
    ) as driver:
        yield Neo4jWorld(graph, driver)


@pytest.fixture(params=["memory", "neo4j"])
def world(request: pytest.FixtureRequest) -> World:
    if request.param == "memory":
        return MemoryWorld()
    found: World = request.getfixturevalue("neo4j_world")
    return found
