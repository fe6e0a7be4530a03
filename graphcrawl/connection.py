"""The way from settings to an open graph: your own Neo4j where you name one, else the embedded."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from graphcrawl import schema, server
from graphcrawl.config import Neo4jSettings, Paths, Settings
from graphcrawl.errors import Neo4jAuthError, Neo4jUnreachableError
from graphcrawl.graph import Address, Graph


@asynccontextmanager
async def connect(
    settings: Settings,
    *,
    start: bool = True,
    on_progress: server.OnProgress = lambda _: None,
    importing: bool = False,
) -> AsyncIterator[Graph]:
    """Open the graph of these settings and bring its schema up to date.

    `NEO4J_URI` names a server of your own, which is never started or stopped. Without it the
    embedded server of `settings.graph` is used.

    Args:
        settings: Which graph, where it is kept, how its server is sized.
        start: Start the embedded server when it is down.
        on_progress: Told of the download and the start of the embedded server.
        importing: It may hold a part of an import, to go on with.

    Raises:
        Neo4jUnreachableError: Nothing answers, or the embedded server is down and `start` is false.
        Neo4jAuthError: The password is missing or wrong.
        SchemaError: The database is newer, another graph's or somebody else's.
        ServerError: The embedded server cannot be started.
    """
    own = external_address()
    address = own or await _embedded_address(settings, start, on_progress)
    async with Graph.open(address) as graph:
        if own is None:
            graph.patience.revive = partial(_revive, graph, settings)
        await schema.prepare(graph, settings.graph, importing=importing)
        yield graph


def external_address() -> Address | None:
    """Return the Neo4j that the environment names, None where it names none.

    Raises:
        Neo4jAuthError: `NEO4J_URI` is set and `NEO4J_PASSWORD` is not.
    """
    own = Neo4jSettings()
    if not own.uri:
        return None
    if own.password is None:
        raise Neo4jAuthError(
            f"NEO4J_URI names {Address(own.uri, '', '').shown}, but there is no password for it.",
            "export NEO4J_PASSWORD=…  (or unset NEO4J_URI to use the embedded server)",
        )
    return Address(
        own.uri, own.username, own.password.get_secret_value(), own.database, embedded=False
    )


async def _embedded_address(
    settings: Settings, start: bool, on_progress: server.OnProgress
) -> Address:
    paths = Paths.locate(settings.home)
    if start:
        running = await server.up(paths, settings.graph, settings.server, on_progress)
        return running.address
    found = server.find(paths, settings.graph)
    if found is None:
        raise Neo4jUnreachableError(
            f"The server of the graph {settings.graph!r} is down.",
            f"graphcrawl db up --graph {settings.graph}",
        )
    return found.address


async def _revive(graph: Graph, settings: Settings) -> None:
    """Start the embedded server anew if it crashed; one that somebody stopped is left alone."""
    paths = Paths.locate(settings.home)
    if server.crashed(paths, settings.graph):
        await graph.move((await server.up(paths, settings.graph, settings.server)).address)
    elif running := server.find(paths, settings.graph):
        await graph.move(running.address)
