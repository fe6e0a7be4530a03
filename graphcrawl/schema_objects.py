"""The indexes and constraints of the schema: which there should be, and those that are not."""

import logging
import re
from collections.abc import Iterator

from graphcrawl import queries
from graphcrawl.errors import Neo4jError, SchemaError
from graphcrawl.graph import Graph

logger = logging.getLogger(__name__)

_FILE = re.compile(r"schema/V(\d+)__\w+$")
_MADE = re.compile(r"CREATE (?:CONSTRAINT|INDEX) (\w+)")
_DROPPED = re.compile(r"DROP (?:CONSTRAINT|INDEX) (\w+)")
_WAIT_S = 300


def migrations() -> dict[int, str]:
    """Return the numbered schema files: version → statement name."""
    found = (_FILE.match(name) for name in queries.names())
    return {int(match[1]): match[0] for match in found if match}


def wanted(newest: int | None = None) -> dict[str, str]:
    """Return name and statement of each index and constraint that the schema files leave behind."""
    made: dict[str, str] = {}
    for number, name in sorted(migrations().items()):
        if newest is not None and number > newest:
            continue
        for statement in queries.split_statements(queries.load(name).text):
            if match := _MADE.search(statement):
                made[match[1]] = " ".join(statement.split())
            if match := _DROPPED.search(statement):
                made.pop(match[1], None)
    return made


async def mend(graph: Graph) -> list[str]:
    """Make what is missing or has failed anew, and wait for what is being built; return names.

    Without an index a statement would scan all pages, and without a constraint two workers could
    make a page twice.

    Raises:
        SchemaError: One cannot be made, as where two pages have one URL; or it is not built in
            time.
    """
    states = {row["name"]: row["state"] for row in await graph.run("look/indexes")}
    objects = wanted()
    ill = [name for name in objects if states.get(name, "FAILED") == "FAILED"]
    for name in ill:
        logger.warning("The index %s is missing or has failed; it is made anew.", name)
        try:
            if name in states:
                is_constraint = "CONSTRAINT" in objects[name]
                drop = "schema/drop_constraint" if is_constraint else "schema/drop_index"
                await graph.run(drop, object=name)
            await graph.run_schema(objects[name])
        except Neo4jError as error:
            if type(error) is not Neo4jError:
                raise
            raise SchemaError(
                f"The index {name} is missing and cannot be made anew: "
                f"{error.message.removeprefix('Neo4j refused: ')}",
                f"Mend that in Neo4j Browser, then: {objects[name]}",
            ) from error
    if ill or any(states.get(name) != "ONLINE" for name in objects):
        await wait(graph)
    return ill


async def wait(graph: Graph, timeout_s: int = _WAIT_S) -> None:
    """Wait until every index of ours can be used.

    Raises:
        SchemaError: One is still being built, or has failed.
    """
    try:
        await graph.run("schema/await_indexes", timeoutS=timeout_s)
    except Neo4jError as error:
        if type(error) is not Neo4jError:
            raise
        if not (late := list(await _late(graph))):
            return  # somebody else's
        name, share = late[0]
        raise SchemaError(
            f"The index {name} is still being built: {share:.0f} % after {timeout_s} s.",
            "Wait until graphcrawl doctor says that all are online, then type the command again.",
        ) from error


async def _late(graph: Graph) -> Iterator[tuple[str, float]]:
    objects = wanted()
    rows = await graph.run("look/indexes")
    return (
        (r["name"], r["percent"]) for r in rows if r["name"] in objects and r["state"] != "ONLINE"
    )
