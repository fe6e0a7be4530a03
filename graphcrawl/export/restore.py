"""The file of a whole graph, see `lines` → an empty graph that goes on where the other stopped."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from graphcrawl import __version__, schema
from graphcrawl.dictionary_elements import ELEMENTS
from graphcrawl.errors import SchemaError, UsageError
from graphcrawl.export import lines
from graphcrawl.graph import Graph, Row

_ROWS = 5000  # that one transaction puts into a graph, …
_BYTES = 8 * 2**20  # … and how much: the server holds it in memory
_STATEMENTS = {
    "PageNeuron": "import/pages",
    "Host": "import/hosts",
    "Origin": "import/origins",
    "Crawl": "import/crawls",
    "Job": "import/jobs",
    "Forgotten": "import/forgotten",
    "Model": "import/models",
    "WriteGate": "import/gates",
}
_OF_PAGES = next(e for e in ELEMENTS if e.name == "PageNeuron")
_PAGE_LABELS = {"PageNeuron", *(label for label, _ in _OF_PAGES.labels)}
_TYPES = {e.name for e in ELEMENTS if not e.is_node} - {"HAS_TEXT"}
_OWN = {"graph", "schemaVersion", "productVersion", "importing"}  # of the (:Meta) imported into


@dataclass(slots=True)
class _Writer:
    """Puts rows into a graph, many in one transaction, each kind in the order of the file."""

    graph: Graph
    on_row: Callable[[int], None]
    done: int = 0
    linked: int = 0  # relationships whose ends are both there
    _waiting: dict[str, list[Row]] = field(default_factory=dict)
    _bytes: int = 0  # of all that waits, about

    async def put(self, statement: str, row: Row, size_bytes: int) -> None:
        """Take a row for a statement."""
        rows = self._waiting.setdefault(statement, [])
        rows.append(row)
        self._bytes += size_bytes
        if self._bytes >= _BYTES:
            await self.flush()
        elif len(rows) >= _ROWS:
            await self.flush([statement])

    async def flush(self, statements: Iterable[str] = ()) -> None:
        """Write what waits for these statements, or for all."""
        for statement in statements or list(self._waiting):
            rows = self._waiting.pop(statement, [])
            found = await self.graph.run(statement, rows=rows) if rows else []
            self.linked += sum(row["put"] for row in found)
            self.done += len(rows)
            self.on_row(self.done)
        if not self._waiting:
            self._bytes = 0


async def read(
    graph: Graph, path: Path, name: str, head: lines.Head, on_row: Callable[[int], None]
) -> None:
    """Put a whole graph into an empty one.

    It is bound to the file until it is whole: what is broken off goes on with the same command, and
    nothing else works on the graph meanwhile.

    Args:
        graph: An open graph, prepared for an import.
        path: A file that `lines.check` has seen.
        name: The graph's name.
        head: What the check returned.
        on_row: Told how many nodes and relationships are there by now.

    Raises:
        UsageError: The graph is not empty, or the file holds what no graph does.
        SchemaError: The file is of a newer graphcrawl.
    """
    newest = max(schema.migrations())
    if head.schema > newest:
        raise SchemaError(
            f"The file {path} has schema {head.schema}; graphcrawl {__version__} knows up to "
            f"{newest}.",
            "pip install --upgrade graphcrawl",
        )
    begun = (await graph.run("import/begin", graph=name, digest=head.digest))[0]
    if not begun["begun"]:
        raise UsageError(
            f"The graph {name!r} is not empty.",
            f"Import into another one: graphcrawl --graph NAME import {path}",
        )
    writer = _Writer(graph, on_row)
    meta = await _put(path, writer)
    if (writer.done + 1, writer.linked) != (head.nodes + head.relationships, head.relationships):
        raise _strange(path, f"{head.relationships - writer.linked:,} links to what is not in it")
    await graph.run(
        "import/finish",
        graph=name,
        properties={key: value for key, value in meta.items() if key not in _OWN},
        schemaVersion=min(head.schema, newest),
    )
    await schema.prepare(graph, name)  # of an older graph: what came since


async def _put(path: Path, writer: _Writer) -> Row:
    """Put all but the (:Meta) into the graph; return that one's properties."""
    meta: Row = {}
    is_linking = False
    for row, size in lines.read(path):
        if row.get("labels") == ["Meta"]:
            meta = row["properties"]
        elif "labels" in row:
            await writer.put(_statement(path, row), row, size)
        else:
            if not is_linking:  # all nodes come first
                await writer.flush()
                is_linking = True
            for kind, target, properties in row["axons"]:
                if kind not in _TYPES:
                    raise _strange(path, f"a relationship {kind!r}")
                part = size // len(row["axons"])
                axon = {"source": row["from"], "target": target, "properties": properties}
                if kind == "LISTS":
                    await writer.put("import/lists", axon, part)
                else:
                    await writer.put("import/axons", axon | {"type": kind}, part)
    await writer.flush()
    return meta


def _statement(path: Path, row: Row) -> str:
    labels = set(row["labels"])
    kinds = labels & _STATEMENTS.keys()
    if len(kinds) != 1 or (labels - kinds) - (_PAGE_LABELS if kinds == {"PageNeuron"} else set()):
        raise _strange(path, f"a node {':'.join(row['labels'])!r}")
    return _STATEMENTS[kinds.pop()]


def _strange(path: Path, what: str) -> UsageError:
    return UsageError(
        f"The file {path} holds {what:.200}, which no graph of graphcrawl does.",
        "Take the file from where it was exported.",
    )
