"""The file of a whole graph: JSON lines, with a head, an end, and a checksum of all in between.

The first line says what it is: `{"graphcrawl": "graph", "version": 1, "schema": …}`. Then one line
a node, `{"labels", "properties", "text"}` (text: properties of a page's PageText), then lines of
what leads from a page, `{"from": URL, "axons": [[type, URL or key of a job, properties], …]}`. The
last one is `{"end": true, "nodes": …, "relationships": …, "sha256": of all lines before it}`.
A time is `{"$time": "2026-01-31T12:00:00Z"}`, bytes are `{"$bytes": base64}`. It may be
gzipped.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphcrawl.errors import UsageError
from graphcrawl.graph import read_time

KIND, VERSION = "graph", 1
LONGEST_BYTES = 64 * 2**20  # of a line; those of graphcrawl's own files are far shorter


@dataclass(frozen=True, slots=True)
class Head:
    """What the file of a graph says of itself."""

    graph: str
    schema: int
    product: str
    exported_at: str
    nodes: int  # without texts
    relationships: int  # without those to texts
    digest: str


def dumps(value: Mapping[str, Any]) -> str:
    """Write a line."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_tagged)
    return text + "\n"


def loads(line: bytes) -> dict[str, Any]:
    """Read a line."""
    return cast("dict[str, Any]", json.loads(line, object_hook=_untagged))


def _tagged(value: Any) -> dict[str, str]:
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(value).decode()}
    return {"$time": value.iso_format()}


def _untagged(value: dict[str, Any]) -> Any:
    if value.keys() == {"$time"}:
        return read_time(value["$time"])
    return base64.b64decode(value["$bytes"]) if value.keys() == {"$bytes"} else value


def check(path: Path) -> Head:
    """Look through the file of a graph, and at nothing else.

    Raises:
        UsageError: There is no such file, it is of another kind, of a newer version, cut short or
            damaged.
    """
    head: dict[str, Any] = {}
    digest, last = hashlib.sha256(), b""
    try:
        with _lines(path) as lines:
            for number, line in enumerate(lines):
                if number == 0:
                    head = _head(path, line)
                else:
                    digest.update(last)
                last = line
        end = json.loads(last)
        if end.get("end") is not True or end["sha256"] != digest.hexdigest():
            raise ValueError("it does not match its checksum")
        return Head(
            head["graph"],
            head["schema"],
            head["product"],
            head["exported_at"],
            end["nodes"],
            end["relationships"],
            end["sha256"],
        )
    except FileNotFoundError as error:
        raise UsageError(
            f"Cannot read the file {path}: {error.strerror}.", "Name a file of graphcrawl export."
        ) from error
    except (OSError, EOFError, zlib.error, ValueError, KeyError, AttributeError) as error:
        if not head and not isinstance(error, OSError):
            raise _not_ours(path) from error
        reason = getattr(error, "strerror", None) or "it does not match its checksum"
        raise UsageError(
            f"The file {path} is cut short or damaged: {reason}.",
            "Take a whole copy of the file that graphcrawl export graph wrote.",
        ) from error


def _head(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        if head["graphcrawl"] != KIND:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _not_ours(path) from error
    if head["version"] != VERSION:
        raise UsageError(
            f"The file {path} is of version {head['version']}; this graphcrawl reads {VERSION}.",
            "pip install --upgrade graphcrawl",
        )
    return cast("dict[str, Any]", head)


def _not_ours(path: Path) -> UsageError:
    return UsageError(
        f"The file {path} is no graph that graphcrawl exported.",
        "Name a file that this wrote: graphcrawl export graph -o FILE.jsonl",
    )


def read(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the nodes and links of a checked file, each with the bytes of its line."""
    with _lines(path) as lines:
        next(lines)
        for line in lines:
            row = loads(line)
            if "end" not in row:
                yield row, len(line)


@contextmanager
def _lines(path: Path) -> Iterator[Iterator[bytes]]:
    with path.open("rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        file = cast("BinaryIO", GzipFile(fileobj=raw)) if is_packed else raw

        def lines() -> Iterator[bytes]:
            while line := file.readline(LONGEST_BYTES):
                if len(line) == LONGEST_BYTES:
                    raise ValueError("a line is too long")
                yield line

        try:
            yield lines()
        except BadGzipFile as error:
            raise ValueError("it is damaged") from error
