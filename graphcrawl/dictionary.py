"""The data dictionary: each label, relationship, property, type, unit and index of the graph.

This is the one place that describes them. `docs/GRAPH.md` is written from it (`graphcrawl db schema
--markdown`), `graphcrawl db schema` prints it, and a test compares it with a live database. Indexes
are read from the schema files that make them.

Source: [000.graph], and the design of the graph.
"""

import re
from collections.abc import Iterator
from typing import Any

from graphcrawl import queries, schema
from graphcrawl.dictionary_elements import ELEMENTS
from graphcrawl.dictionary_parts import Element, Index, Property

_INDEX = re.compile(
    r"CREATE\s+(?P<made>CONSTRAINT|INDEX|FULLTEXT INDEX)\s+(?P<name>\w+)\s+IF NOT EXISTS\s+FOR\s+"
    r"(?:\(\)-)?[(\[]\s*\w+\s*:\s*(?P<label>[\w|]+)\s*[)\]](?:-\(\))?\s+"
    r"(?:REQUIRE|ON)\s+(?:EACH\s+)?(?P<keys>[^;]+)"
)
_KEY = re.compile(r"\b\w+\.(\w+)")


def indexes() -> tuple[Index, ...]:
    """Return the indexes that the schema files make, sorted by name."""
    made: dict[str, Index] = {}
    types = {element.name for element in ELEMENTS if not element.is_node}
    for file in schema.migrations().values():
        for statement in queries.split_statements(queries.load(file).text):
            if match := _INDEX.match(statement):
                kind = {"CONSTRAINT": "unique", "INDEX": "range"}.get(match["made"], "fulltext")
                keys = tuple(_KEY.findall(match["keys"]))
                made[match["name"]] = Index(
                    match["name"], match["label"], keys, kind, match["label"] in types
                )
            elif match := re.match(r"DROP\s+(?:CONSTRAINT|INDEX)\s+(\w+)", statement):
                made.pop(match[1], None)
    return tuple(made[name] for name in sorted(made))


def rows() -> Iterator[dict[str, Any]]:
    """Yield the dictionary as flat rows: each element, its labels, its properties, its indexes."""
    found = indexes()
    for element in ELEMENTS:
        yield _row(element, meaning=element.meaning)
        for label, meaning in element.labels:
            yield _row(element, "label", f":{label}", meaning=meaning)
        for p in element.properties:
            row = _row(element, "property", p.name, p.type, p.unit, p.meaning)
            yield row | {"always": p.always}
        for index in found:
            if index.label in (element.name, *(label for label, _ in element.labels)):
                on = f"{index.on} {', '.join(index.properties)}"
                yield _row(element, "index", index.name, index.kind, meaning=on)


def _row(
    element: Element,
    what: str = "",
    name: str = "",
    kind: str = "",
    unit: str = "",
    meaning: str = "",
) -> dict[str, Any]:
    what = what or ("node" if element.is_node else "relationship")
    return {
        "element": element.name,  # the node or relationship that the row belongs to
        "what": what,  # node, relationship, label, property or index
        "name": name or element.pattern,
        "type": kind,
        "unit": unit,
        "always": None,  # whether every element has the property; null where it is none
        "meaning": meaning,
    }


def markdown() -> str:
    """Return the dictionary as `docs/GRAPH.md` has it."""
    lines = [
        "# The graph: data dictionary",
        "",
        "Written by `graphcrawl db schema --markdown` from",
        "[`graphcrawl/dictionary.py`](../graphcrawl/dictionary.py); edit that file. A test",
        "compares it with a live database. `graphcrawl db schema` prints it, and gives it to",
        "programs with `--json`, `--jsonl` and `--csv`.",
        "",
        "Times are in UTC. A property in **bold** is on every node or relationship of its kind;",
        "the others are there where they have something to say.",
    ]
    for element in ELEMENTS:
        lines += ["", f"## `{element.pattern}`", "", f"{element.meaning}."]
        if element.labels:
            lines += ["", "| further label | says |", "|---|---|"]
            lines += [f"| `:{label}` | {meaning} |" for label, meaning in element.labels]
        if element.properties:
            lines += ["", "| property | type | unit | meaning |", "|---|---|---|---|"]
            lines += [_line(p) for p in element.properties]
    lines += ["", "## Indexes", "", "| index | kind | on |", "|---|---|---|"]
    for index in indexes():
        lines.append(
            f"| `{index.name}` | {index.kind} | `{index.on}` {', '.join(index.properties)} |"
        )
    return "\n".join(lines) + "\n"


def _line(p: Property) -> str:
    name = f"**`{p.name}`**" if p.always else f"`{p.name}`"
    return f"| {name} | {p.type} | {p.unit} | {p.meaning} |"
