"""Parquet files of what was pruned: one row a neuron, with all that hung on it.

Columns: `url`, `neuronId`, `host`, `reward`, `fetchedMs` (milliseconds since 1970); and as JSON:
`labels`, `properties`, `text` (properties of the page's text, null where none was kept) and `axons`
(`source`, `target`, `type`, `properties`; one between two pruned neurons stands with both; of an
alias also where it leads and the links that another carries for it). A time in the JSON is
`{"$datetime": "2026-01-31T12:00:00+00:00"}`. Beside each archive lies `ARCHIVE.sha256`, as
`sha256sum -c` reads it: what a disk or a copy altered shall not come back into a graph.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from arro3.core import Array, DataType, Field, RecordBatch, Schema
from arro3.io import read_parquet

from graphcrawl import parquet
from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.graph import Row
from graphcrawl.uncancelled import uncancelled

VERSION = 1
BATCH = parquet.BATCH

_VERSION_KEY = "graphcrawl.archive"
_GRAPH_KEY = "graphcrawl.graph"

_COLUMNS = {
    "url": DataType.string(),
    "neuronId": DataType.int64(),
    "host": DataType.string(),
    "reward": DataType.float64(),
    "fetchedMs": DataType.int64(),
    "labels": DataType.string(),
    "properties": DataType.string(),
    "text": DataType.string(),
    "axons": DataType.string(),
}
_JSON = ("labels", "properties", "text", "axons")
_SCHEMA = Schema([Field(name, kind) for name, kind in _COLUMNS.items()])


async def write(path: Path, graph: str, rows: AsyncIterator[Row]) -> int:
    """Write rows of `prune/doomed` to a file that is either whole and on the disk, or not there.

    Args:
        path: The file to make; its folder is made as well.
        graph: Name of the graph that the rows come from.
        rows: Are read as fast as they are written; memory stays flat.

    Returns:
        How many rows there were.

    Raises:
        GraphcrawlError: The file cannot be written, such as on a full disk.
    """
    part = path.with_name(path.name + ".part")
    notes = {_VERSION_KEY: str(VERSION), _GRAPH_KEY: graph}
    try:
        try:
            written = await parquet.write(part, _SCHEMA, rows, _encode, notes)
            await uncancelled(asyncio.to_thread(_finish, part, path))
        finally:
            with suppress(FileNotFoundError, NotADirectoryError):
                part.unlink()
    except OSError as error:
        raise GraphcrawlError(
            f"Cannot write the archive {path}: {error.strerror or error}. Nothing was pruned.",
            "Free some space, or name another folder for archives.",
        ) from error
    return written


def _finish(part: Path, path: Path) -> None:
    """Give a whole file its name and its checksum, or leave nothing."""
    try:
        with checksum_file(path).open("wb") as note:
            note.write(f"{_sha256(part)}  {path.name}\n".encode())
            note.flush()
            os.fsync(note.fileno())
        part.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        remove(path)
        raise


def checksum_file(path: Path) -> Path:
    """Return where an archive's checksum lies."""
    return path.with_name(path.name + ".sha256")


def remove(path: Path) -> None:
    """Delete an archive and its checksum; they need not be there."""
    path.unlink(missing_ok=True)
    checksum_file(path).unlink(missing_ok=True)


def check(path: Path) -> str:
    """Look through an archive and return the name of the graph that it was taken from.

    Raises:
        UsageError: There is no such file or checksum, the two do not match, or the file is of
            another kind or of a newer version.
    """
    try:
        if _sha256(path) != _noted_sha256(path):  # arro3 aborts on damaged files
            raise ValueError("it does not match its checksum")
        reader = read_parquet(path, batch_size=BATCH)
        notes = reader.schema.metadata_str
    except OSError as error:
        raise UsageError(
            f"Cannot read the archive {path}: {error.strerror or error}.",
            "Name a file that graphcrawl prune wrote.",
        ) from error
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(
            f"The archive {path} is cut short or damaged: {error}.",
            "Take a whole copy of the file that graphcrawl prune wrote.",
        ) from error
    version = notes.get(_VERSION_KEY)
    if version is None:
        raise UsageError(
            f"{path} is a Parquet file, but no archive of pruned neurons.",
            "Name a file that graphcrawl prune wrote.",
        )
    if version != str(VERSION):
        raise UsageError(
            f"{path} is an archive of version {version}; this graphcrawl reads {VERSION}.",
            "pip install --upgrade graphcrawl",
        )
    return notes[_GRAPH_KEY]


def read(path: Path) -> Iterator[list[Row]]:
    """Yield the rows of a checked archive as `write` got them, at most `BATCH` at a time."""
    for batch in read_parquet(path, batch_size=BATCH):
        columns = [batch.column(name).to_pylist() for name in _COLUMNS]
        yield [_decode(dict(zip(_COLUMNS, row, strict=True))) for row in zip(*columns, strict=True)]


def _encode(rows: list[Row]) -> RecordBatch:
    columns = []
    for name, kind in _COLUMNS.items():
        values = [row[name] for row in rows]
        columns.append(Array([_dumps(v) for v in values] if name in _JSON else values, kind))
    return RecordBatch.from_arrays(columns, schema=_SCHEMA)


def _decode(row: Row) -> Row:
    return row | {name: row[name] and json.loads(row[name], object_hook=_time) for name in _JSON}


def _dumps(value: object) -> str | None:
    if value is None:
        return None
    return _as_json(value)


def _tagged(value: Any) -> dict[str, str]:
    """Return a time, the driver's or Python's, as JSON; other types have no place in the graph."""
    iso = value.isoformat if isinstance(value, datetime) else value.iso_format
    return {"$datetime": iso()}


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_tagged).encode


def _time(value: dict[str, Any]) -> Any:
    return datetime.fromisoformat(value["$datetime"]) if value.keys() == {"$datetime"} else value


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _noted_sha256(path: Path) -> str:
    beside = checksum_file(path)
    try:
        return beside.read_text(encoding="utf-8", errors="replace").partition(" ")[0].strip()
    except FileNotFoundError as error:
        raise UsageError(
            f"The checksum of the archive is missing: {beside}.",
            "Take it from where the archive comes from; it lies beside it.",
        ) from error


def _sync_folder(folder: Path) -> None:
    """Put the renaming itself on the disk."""
    if hasattr(os, "O_DIRECTORY"):  # Windows has none, and needs none
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
