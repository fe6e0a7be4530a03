"""Rows that come one by one → a table in a file, with flat memory."""

import csv
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from arro3.core import Array, DataType, Field, RecordBatch, Schema

from graphcrawl import outfile, parquet
from graphcrawl.cells import safe_cell
from graphcrawl.export.columns import Column, Kind, iso, told

Columns = tuple[Column, ...]
Rows = AsyncIterator[Mapping[str, Any]]

# What CommonMark lets a backslash precede and what would mean something; and what begins a block.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_BLOCK = re.compile(r"^(\s*)(?:([-+=])|(\d+)([.)]))", re.M)
_INDENT = re.compile(r"^[ \t]+", re.M)
_ARROW = {
    Kind.TEXT: DataType.string(),
    Kind.COUNT: DataType.int64(),
    Kind.NUMBER: DataType.float64(),
    Kind.FLAG: DataType.bool(),
}


async def write_csv(part: Path, columns: Columns, rows: Rows, *, packed: bool = False) -> int:
    """Write CSV with a header that no spreadsheet mistakes for formulas; return the rows."""
    with outfile.sheet(part, packed=packed) as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column.name for column in columns)
        return await _each(rows, lambda row: writer.writerow([_cell(c, row) for c in columns]))


async def write_jsonl(part: Path, columns: Columns, rows: Rows, *, packed: bool = False) -> int:
    """Write a JSON object a line; return how many."""
    with outfile.sheet(part, packed=packed) as text:

        def write(row: Mapping[str, Any]) -> None:
            text.write(json.dumps(told(columns, row), ensure_ascii=False) + "\n")

        return await _each(rows, write)


async def write_markdown(part: Path, columns: Columns, rows: Rows, *, packed: bool = False) -> int:
    """Write a table in Markdown, or a section for each row where the columns have a text."""
    named = {column.name: column for column in columns}
    with outfile.sheet(part, packed=packed) as text:
        if "text" in named:
            return await _each(rows, lambda row: text.write(_section(columns, row)))
        text.write(f"| {' | '.join(named)} |\n|{'---|' * len(named)}\n")

        def write(row: Mapping[str, Any]) -> None:
            text.write(f"| {' | '.join(_in_line(column, row) for column in columns)} |\n")

        return await _each(rows, write)


async def write_parquet(part: Path, columns: Columns, rows: Rows, *, packed: bool = False) -> int:
    """Write Parquet: times as timestamps, lists as JSON; return the rows. It packs by itself."""
    time = DataType.timestamp("ms", tz="UTC")
    schema = Schema(
        [
            Field(c.name, time if c.kind is Kind.TIME else _ARROW.get(c.kind, DataType.string()))
            for c in columns
        ]
    )

    def encode(batch: list[Mapping[str, Any]]) -> RecordBatch:
        arrays = []
        for column in columns:
            values = [row[column.name] for row in batch]
            if column.kind is Kind.TIME:
                arrays.append(Array(values, DataType.int64()).cast(time))
            elif column.kind is Kind.TEXTS:
                texts = [json.dumps(value, ensure_ascii=False) for value in values]
                arrays.append(Array(texts, DataType.string()))
            else:
                arrays.append(Array(values, _ARROW[column.kind]))
        return RecordBatch.from_arrays(arrays, schema=schema)

    return await parquet.write(part, schema, rows, encode)


def escaped(text: str) -> str:
    """Write text of strangers such that Markdown shows it as it is, and runs none of it."""
    lines = _INDENT.sub("", _MARKS.sub(r"\\\1", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _BLOCK.sub(lambda m: f"\\{m[2]}" if m[2] else f"{m[3]}\\{m[4]}", lines)


def _in_line(column: Column, row: Mapping[str, Any]) -> str:
    """Write a value for a line of Markdown that it does not begin."""
    text = " ".join(_plain(column, row).split())
    return _MARKS.sub(r"\\\1", text) if column.kind in (Kind.TEXT, Kind.TEXTS) else text


async def _each(rows: Rows, write: Callable[[Mapping[str, Any]], object]) -> int:
    number = 0
    async for row in rows:
        write(row)
        number += 1
    return number


def _plain(column: Column, row: Mapping[str, Any]) -> str:
    value = row[column.name]
    if value is None:
        return ""
    if column.kind is Kind.TIME:
        return iso(value) or ""
    if column.kind is Kind.FLAG:
        return "true" if value else "false"
    return "; ".join(value) if column.kind is Kind.TEXTS else str(value)


def _cell(column: Column, row: Mapping[str, Any]) -> str:
    """Write a cell of CSV: text is of strangers, but a number may well begin with a minus."""
    text = _plain(column, row)
    return safe_cell(text) if column.kind in (Kind.TEXT, Kind.TEXTS) else text


def _section(columns: Columns, row: Mapping[str, Any]) -> str:
    title = _MARKS.sub(r"\\\1", " ".join((row["title"] or row["url"]).split()))
    facts = [
        f"- {column.name}: {_in_line(column, row)}"
        for column in columns
        if column.name not in ("title", "url", "text") and row[column.name] is not None
    ]
    url = row["url"].replace("<", "%3C").replace(">", "%3E")
    return "\n".join([f"## [{title}](<{url}>)", "", *facts, "", escaped(row["text"]), "", ""])
