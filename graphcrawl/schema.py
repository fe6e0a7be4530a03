"""Brings a database to the schema this version knows, and refuses one that belongs to others."""

import re

from graphcrawl import __version__, queries
from graphcrawl.errors import SchemaError
from graphcrawl.graph import Graph

_FILE = re.compile(r"schema/V(\d+)__\w+$")


def migrations() -> dict[int, str]:
    """Return the numbered schema files: version → statement name."""
    found = (_FILE.match(name) for name in queries.names())
    return {int(match[1]): match[0] for match in found if match}


async def prepare(graph: Graph, name: str) -> None:
    """Check whose database this is and apply the schema files it lacks.

    Args:
        graph: An open connection.
        name: The graph's name; a database is bound to one name.

    Raises:
        SchemaError: The schema is newer than this version, the database holds another graph, or it
            holds data that is not graphcrawl's.
    """
    files = migrations()
    newest = max(files)
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
    version = meta["schemaVersion"] or 0
    if version > newest:
        raise SchemaError(
            f"The graph has schema {version}; graphcrawl {__version__} knows up to {newest}.",
            "pip install --upgrade graphcrawl",
        )
    for number in sorted(n for n in files if n > version):
        await graph.run_schema(queries.load(files[number]).text)
        await graph.run("schema/await_indexes")
        await graph.run(
            "schema/stamp", graph=name, schemaVersion=number, productVersion=__version__
        )
