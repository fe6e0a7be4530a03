"""A whole graph → a file that another Neo4j goes on from, see `restore`.

Everything is in it: pages with all they have, texts, axons, aliases, jobs, hosts, robots rules,
runs, what scoring learned, tombstones, what was forgotten, and the counters of the locks. Pages
come in the order of the store, which decides between pages of equal priority.
"""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphcrawl import __version__, outfile
from graphcrawl.errors import UsageError
from graphcrawl.export import lines
from graphcrawl.graph import Graph

Counted = Callable[[AsyncIterator[Any]], AsyncIterator[Any]]

_AXONS_A_LINE = 1000  # a hub's axons stand in several lines


async def write(
    graph: Graph, part: Path, name: str, *, packed: bool = False, counted: Counted = lambda r: r
) -> int:
    """Write the whole graph; return its nodes and relationships, without texts.

    Args:
        graph: An open graph that nobody changes meanwhile.
        part: The file to make.
        name: The graph's name.
        packed: Through gzip.
        counted: Sees all rows pass.

    Raises:
        UsageError: A crawl is running, something else changed the graph meanwhile, or the database
            holds what is not graphcrawl's.
    """
    before = (await graph.run("export/state"))[0]
    if before["leased"]:
        raise UsageError(
            f"A crawl holds {before['leased']:,} pages of this graph, or was killed: until "
            f"{before['leasedUntil'].to_native():%H:%M:%S} UTC they are its own.",
            "Stop it, or wait until then; a copy of a graph that changes would not be whole.",
        )
    nodes = texts = relationships = 0
    digest = sha256()
    meta = (await graph.run("schema/meta"))[0]
    with outfile.sheet(part, packed=packed) as sheet:
        head = {
            "graphcrawl": lines.KIND,
            "version": lines.VERSION,
            "schema": meta["schemaVersion"],
            "product": __version__,
            "graph": name,
            "exported_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        }

        def put(line: dict[str, Any]) -> None:
            text = lines.dumps(line)
            digest.update(text.encode())
            sheet.write(text)

        put(head)
        for statement in ("export/neurons", "export/others"):
            async for row in counted(graph.stream(statement)):
                texts += row.get("text") is not None
                nodes += 1
                put(row)
        async for row in counted(graph.stream("export/links")):
            axons = row["axons"]
            relationships += len(axons)
            for first in range(0, len(axons), _AXONS_A_LINE):
                put({"from": row["source"], "axons": axons[first : first + _AXONS_A_LINE]})
        end = {"end": True, "nodes": nodes, "relationships": relationships}
        sheet.write(lines.dumps(end | {"sha256": digest.hexdigest()}))
    after = (await graph.run("export/state"))[0]
    counts = {"nodes": nodes + texts, "relationships": relationships + texts}
    if any(before[key] != after[key] for key in after):
        raise UsageError(
            "The graph was changed while it was exported.",
            "Stop what works on it, then type the command again.",
        )
    if counts.items() - after.items():
        raise UsageError(
            "The database holds nodes or relationships that are not graphcrawl's; a copy would be "
            "without them.",
            "Move them into a database of their own; graphcrawl doctor tells their labels.",
        )
    return nodes + relationships
