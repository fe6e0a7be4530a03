"""Loads every Cypher statement of `cypher/**` by name and knows its mode and parameters.

A name is the path below `cypher/` without its ending: `frontier/claim`. The header says the rest:

    // Title that Neo4j Browser shows
    // mode: read | write | auto | schema      auto: auto-commit, for CALL … IN TRANSACTIONS and GDS
    // params: $limit INTEGER rows = 25        one a line; "= value" (JSON) gives a default
    //         $host STRING host key
    // returns: url, reward
    // source: [000.order]

A line `// include: look/passes.part` stands for the text of that file; several statements share it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from graphcrawl.errors import QueryError

MODES = ("read", "write", "auto", "schema")
_INCLUDE = re.compile(r"^ *// include: (\S+\.part)$", re.M)
_PARAM = re.compile(r"\$(\w+)\s+([A-Z]+(?:<[A-Z<>, ]+>)?)\s*([^=]*?)\s*(?:=\s*(.+))?$")
_QUOTED = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter of a statement."""

    name: str
    type: str  # Cypher type: INTEGER, STRING, LIST<MAP>…
    meaning: str  # with its unit
    default: Any = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Statement:
    """One file of `cypher/`."""

    name: str
    title: str
    mode: str
    text: str
    returns: str = ""
    source: str = ""
    parameters: dict[str, Parameter] = field(default_factory=dict)


def cypher_root() -> Traversable:
    """Return the folder of statements: inside the wheel, or beside the package in a checkout."""
    inside = files("graphcrawl") / "cypher"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "cypher"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all statements, sorted."""
    return tuple(sorted(_walk(cypher_root(), "")))


@cache
def load(name: str) -> Statement:
    """Return the statement of that name.

    Raises:
        QueryError: There is no such file, or its header is incomplete.
    """
    path = cypher_root() / f"{name}.cypher"
    if not path.is_file():
        raise QueryError(f"There is no saved query {name!r}.", "List them: graphcrawl query list")
    return parse_statement(name, _INCLUDE.sub(_part, path.read_text(encoding="utf-8")))


def _part(match: re.Match[str]) -> str:
    text = cypher_root().joinpath(match[1]).read_text(encoding="utf-8").rstrip()
    return _INCLUDE.sub(_part, text)  # a part may be made of others


def parse_statement(name: str, text: str) -> Statement:
    """Read the header of a statement file.

    Raises:
        QueryError: No title, no known mode, or a parameter line that cannot be read.
    """
    header, keys = _header(text)
    if not header or keys.get("mode", [""])[0] not in MODES:
        raise QueryError(
            f"{name}.cypher has no title or no known mode.",
            "Begin the file with '// Title' and '// mode: read|write|auto|schema'.",
        )
    parameters: dict[str, Parameter] = {}
    for line in keys.get("params", []):
        match = _PARAM.match(line)
        if match is None:
            raise QueryError(
                f"{name}.cypher: cannot read the parameter line {line!r}.",
                "Write it as '$name TYPE meaning and unit = default'.",
            )
        key, kind, meaning, default = match.groups()
        parameters[key] = Parameter(
            key, kind, meaning, json.loads(default) if default else None, default is None
        )
    return Statement(
        name=name,
        title=header,
        mode=keys["mode"][0],
        text=text,
        returns=" ".join(keys.get("returns", [])),
        source=" ".join(keys.get("source", [])),
        parameters=parameters,
    )


def used_parameters(text: str) -> set[str]:
    """Return the `$names` that the code uses, outside strings, comments and backticks."""
    return set(re.findall(r"\$(\w+)", _QUOTED.sub("", "".join(_code(text)))))


def split_statements(text: str) -> list[str]:
    """Split at `;` outside strings and comments, as schema files need; comments are dropped."""
    pieces: list[str] = []
    current: list[str] = []
    for part in _code(text, strings=True):
        if part == ";":
            pieces.append("".join(current).strip())
            current = []
        else:
            current.append(part)
    pieces.append("".join(current).strip())
    return [piece for piece in pieces if piece]


def _code(text: str, *, strings: bool = False) -> Iterator[str]:
    """Yield the characters of the code; comments never, string literals only on request.

    A `//` inside a string is no comment and a `;` inside one ends nothing, so a literal comes as
    one piece.
    """
    i, n = 0, len(text)
    while i < n:
        char = text[i]
        if char in "'\"`":
            end = i + 1
            while end < n and text[end] != char:
                end += 2 if text[end] == "\\" and char != "`" else 1
            if strings or char == "`":
                yield text[i : end + 1]
            i = end + 1
        elif text.startswith("//", i):
            end = text.find("\n", i)
            i = n if end < 0 else end
        elif text.startswith("/*", i):
            end = text.find("*/", i + 2)
            i = n if end < 0 else end + 2
        else:
            yield char
            i += 1


def _header(text: str) -> tuple[str, dict[str, list[str]]]:
    title, key = "", ""
    keys: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        body = line[2:].strip()
        if not title:
            title = body
            continue
        match = re.match(r"(mode|params|returns|source):\s*(.*)$", body)
        if match:
            key = match[1]
            if match[2] and match[2] != "none":
                keys.setdefault(key, []).append(match[2])
        elif key and body:
            keys.setdefault(key, []).append(body)
    return title, keys


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            yield prefix + entry.name.removesuffix(".cypher")
