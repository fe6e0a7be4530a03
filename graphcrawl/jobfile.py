"""Jobs in a file: CSV that a spreadsheet cannot mistake for formulas, JSON lines, or Parquet.

The ending of the name says which. A file is whole or not there: it is written beside its place and
renamed at the end, so that what lay there before survives a failure.
"""

import csv
import json
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from arro3.core import Array, DataType, Field, RecordBatch, Schema

from graphcrawl import parquet
from graphcrawl.cells import safe_cell
from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.joblist import COLUMNS, JobRow, as_dict

CSV, JSONL, PARQUET = "csv", "jsonl", "parquet"
FORMS = {".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL, ".parquet": PARQUET}


def plain(value: object) -> str | None:
    """Return a value as text: times as ISO 8601 in UTC with `Z`, dates as they are."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return None if value is None else str(value)


def form_of(path: Path) -> str:
    """Return the form that a file's name asks for, after looking whether it can be written there.

    Raises:
        UsageError: Another ending, no such folder, or a folder lies there.
    """
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise UsageError(
            f"Cannot tell the form of {str(path)!r} from its ending.",
            "Name a file that ends in .csv, .jsonl or .parquet.",
        )
    if path.is_dir() or not path.parent.is_dir():
        problem = "a folder" if path.is_dir() else "no such folder"
        raise UsageError(
            f"Cannot write the file {path}: {problem}.", "Name a file in a folder that exists."
        )
    return form


async def write(path: Path, jobs: AsyncIterator[JobRow]) -> int:
    """Write jobs to a file in the form of its ending, with flat memory; return how many.

    Raises:
        UsageError: The name has another ending, or nothing can be written there.
        GraphcrawlError: The disk is full or broken.
    """
    writer = {CSV: _write_csv, JSONL: _write_jsonl, PARQUET: _write_parquet}[form_of(path)]
    part = path.with_name(path.name + ".part")
    try:
        try:
            written = await writer(part, jobs)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except PermissionError as error:
        raise UsageError(
            f"Cannot write the file {path}: {error.strerror}.",
            "Name a file in a folder that you may write to.",
        ) from error
    except OSError as error:
        raise GraphcrawlError(
            f"Cannot write the file {path}: {error.strerror or error}.",
            "Free some space, or name another folder.",
        ) from error
    return written


async def _write_csv(path: Path, jobs: AsyncIterator[JobRow]) -> int:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)

        def write(row: Mapping[str, Any]) -> None:
            writer.writerow(safe_cell(plain(value) or "") for value in row.values())

        return await _each(jobs, write)


async def _write_jsonl(path: Path, jobs: AsyncIterator[JobRow]) -> int:
    with path.open("w", encoding="utf-8", newline="") as file:

        def write(row: Mapping[str, Any]) -> None:
            texts = {key: plain(value) for key, value in row.items()}
            file.write(json.dumps(texts, ensure_ascii=False) + "\n")

        return await _each(jobs, write)


async def _each(jobs: AsyncIterator[JobRow], write: Callable[[Mapping[str, Any]], None]) -> int:
    number = 0
    async for job in jobs:
        write(as_dict(job))
        number += 1
    return number


async def _write_parquet(path: Path, jobs: AsyncIterator[JobRow]) -> int:
    return await parquet.write(path, _schema(), jobs, _record_batch)


def _schema() -> Schema:
    """Return the columns: times as timestamps in UTC, all others as text.

    `posted` is ISO text, since some jobs state a day and others a time.
    """
    time = DataType.timestamp("us", tz="UTC")
    return Schema(
        [Field(name, time if name.endswith("_at") else DataType.string()) for name in COLUMNS]
    )


def _record_batch(rows: list[JobRow]) -> RecordBatch:
    columns = []
    for name in COLUMNS:
        values = [getattr(row, name) for row in rows]
        if name.endswith("_at"):
            times = Array([None if v is None else _us(v) for v in values], DataType.int64())
            columns.append(times.cast(DataType.timestamp("us", tz="UTC")))
        else:
            columns.append(Array([plain(v) for v in values], DataType.string()))
    return RecordBatch.from_arrays(columns, schema=_schema())


def _us(time: datetime) -> int:
    """Return microseconds since 1970, exactly."""
    since = time.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds
