"""Brings a database to the schema this version knows, and refuses one that belongs to others."""

import asyncio
import random
from typing import Final

from graphcrawl import __version__, queries, schema_objects
from graphcrawl.errors import Neo4jError, SchemaError, command_on
from graphcrawl.graph import Graph
from graphcrawl.schema_objects import migrations

__all__ = ["migrations", "prepare"]

_ATTEMPTS: Final = 8  # at one schema file, while others apply it too


async def prepare(graph: Graph, name: str, *, importing: bool = False) -> None:
    """Check whose database this is and apply the schema files it lacks.

    Several processes may do so at once: each file can be applied again, and by two at a time. What
    Neo4j refuses then (an index that another process has just made, a deadlock) is tried again.

    Args:
        graph: An open connection.
        name: The graph's name; a database is bound to one name.
        importing: It may hold a part of an import, to go on with.

    Raises:
        SchemaError: The schema is newer than this version, the database holds another graph, data
            that is not graphcrawl's, or a part of an import.
    """
    version = await _version(graph, name, importing=importing)
    attempts = 0
    while version < max(migrations()):
        try:
            await _apply(graph, name, version)
        except Neo4jError as error:
            attempts += 1
            if type(error) is not Neo4jError or attempts == _ATTEMPTS:
                raise
            await asyncio.sleep(random.uniform(0.05, 0.1 * 2**attempts))
        else:
            attempts = 0
        version = await _version(graph, name, importing=importing)
    await schema_objects.mend(graph)


async def _apply(graph: Graph, name: str, version: int) -> None:
    """Apply the file that comes after a version."""
    files = migrations()
    number = min(n for n in files if n > version)
    await graph.run_schema(queries.load(files[number]).text)
    await schema_objects.wait(graph)
    await graph.run("schema/stamp", graph=name, schemaVersion=number, productVersion=__version__)


async def _version(graph: Graph, name: str, *, importing: bool) -> int:
    """Return the schema version of a database after checking whose it is."""
    newest = max(migrations())
    meta = (await graph.run("schema/meta"))[0]
    if meta["graph"] is None and meta["hasData"]:
        raise SchemaError(
            f"The database at {graph.address.shown} holds data that is not graphcrawl's.",
            "Give graphcrawl a database of its own: set NEO4J_URI or NEO4J_DATABASE.",
        )
    if meta["graph"] not in (None, name):
        raise SchemaError(
            f"The database at {graph.address.shown} holds the graph {meta['graph']!r}, "
            f"not {name!r}.",
            f"Add --graph {meta['graph']}, or set NEO4J_URI to another database.",
        )
    if meta["importing"] and not importing:
        raise SchemaError(
            f"An import into the graph {name!r} was broken off.",
            "Type it again with the same file, or begin anew: " + command_on(name, "db reset"),
        )
    version = meta["schemaVersion"] or 0
    if version > newest:
        raise SchemaError(
            f"The graph has schema {version}; graphcrawl {__version__} knows up to {newest}.",
            "pip install --upgrade graphcrawl",
        )
    return int(version)
