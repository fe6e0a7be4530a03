"""Shared fixtures: a real Neo4j, from the environment first, else embedded."""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from servers import SMALL

from graphcrawl import schema, server
from graphcrawl.config import Paths
from graphcrawl.errors import ServerError
from graphcrawl.graph import Address, Graph

GRAPH_NAME = "test"
SMALL_SERVER = SMALL.model_copy(update={"page_cache": 256 * 2**20})


@pytest.fixture(scope="session")
def server_paths(tmp_path_factory: pytest.TempPathFactory) -> Paths:
    """Folders of their own for this run, but with the user's cache of jars."""
    return replace(Paths.locate(tmp_path_factory.mktemp("home")), cache=Paths.locate().cache)


@pytest.fixture(scope="session")
async def neo4j_address(server_paths: Paths) -> AsyncIterator[Address]:
    """A Neo4j for tests: `GRAPHCRAWL_TEST_NEO4J_URI`, `…_PASSWORD`, else a server of our own."""
    if uri := os.environ.get("GRAPHCRAWL_TEST_NEO4J_URI"):
        password = os.environ["GRAPHCRAWL_TEST_NEO4J_PASSWORD"]
        address = Address(uri, "neo4j", password, embedded=False)
        async with Graph.open(address) as opened:  # tests empty it: not if it is somebody else's
            await schema.prepare(opened, GRAPH_NAME)
        yield address
        async with Graph.open(
            address
        ) as opened:  # whatever the last test left, the next run may begin
            await opened.run_schema("MATCH (n) DETACH DELETE n")
        return
    try:
        running = await server.up(server_paths, GRAPH_NAME, SMALL_SERVER)
        yield running.address
    except ServerError as error:
        pytest.fail(f"{error.message}\n{error.hint}", pytrace=False)
    finally:
        await server.down(server_paths, GRAPH_NAME)


@pytest.fixture
async def graph(neo4j_address: Address) -> AsyncIterator[Graph]:
    """An empty database with the schema."""
    async with Graph.open(neo4j_address) as opened:
        await opened.run_schema("MATCH (n) DETACH DELETE n")
        await schema.prepare(opened, GRAPH_NAME)
        yield opened


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and of other projects' test suites; skips where it is not there."""
    default = Path(__file__).parents[1] / ".." / "shared"
    folder = Path(os.environ.get("GRAPHCRAWL_SHARED", default)).resolve()
    if not folder.is_dir():
        pytest.skip(f"no shared test data at {folder}; GRAPHCRAWL_SHARED names it")
    return folder
