"""How commands print: data on stdout in one of four formats, everything else on stderr.

Every reading command takes `--json`, `--jsonl` and `--csv`. Without them a terminal gets a table
and a pipe gets tab-separated lines that `cut` and `awk` can read.
"""

import csv
import sys
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cells import safe_cell
from graphcrawl.cli import logs
from graphcrawl.cli.tables import Column, columns_of, console, pairs, table
from graphcrawl.cli.words import cell, harmless, printable, to_json
from graphcrawl.errors import UsageError

__all__ = [
    "PANEL", "Column", "CsvFlag", "Format", "JsonFlag", "JsonlFlag", "MetricsFlag",
    "PageLogFlag", "columns_of", "console", "each", "emit_document", "emit_rows", "error", "note",
    "pairs", "stderr_is_terminal", "stdout_is_terminal", "table",
]  # fmt: skip

Row = Mapping[str, Any]


class Format(StrEnum):
    """What stdout carries."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"

    @classmethod
    def chosen(cls, as_json: bool, as_jsonl: bool, as_csv: bool) -> "Format":
        """Return the format of the flags that were typed.

        Raises:
            UsageError: More than one was.
        """
        given = [
            f
            for f, typed in ((cls.JSON, as_json), (cls.JSONL, as_jsonl), (cls.CSV, as_csv))
            if typed
        ]
        if len(given) > 1:
            raise UsageError(
                f"--{given[0]} and --{given[1]} exclude each other.", "Leave one of them out."
            )
        return given[0] if given else cls.TABLE


PANEL = "Output"
JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON document.", rich_help_panel=PANEL)]
JsonlFlag = Annotated[
    bool, typer.Option("--jsonl", help="One JSON object a line.", rich_help_panel=PANEL)
]
CsvFlag = Annotated[bool, typer.Option("--csv", help="CSV with a header.", rich_help_panel=PANEL)]
PageLogFlag = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE.jsonl",
        help="Add a line to this file for each page, as it is recorded.",
        rich_help_panel=PANEL,
    ),
]
MetricsFlag = Annotated[
    int | None,
    typer.Option(
        metavar="PORT",
        min=0,
        max=65535,
        help="Serve metrics for Prometheus on loopback, at /metrics; 0: any free port.",
        rich_help_panel=PANEL,
    ),
]


async def each(rows: Iterable[Row]) -> AsyncIterator[Row]:
    """Let a plain collection pass for a stream of rows."""
    for row in rows:
        yield row


async def emit_rows(
    rows: AsyncIterable[Row],
    columns: Sequence[Column],
    form: Format,
    *,
    keys: Sequence[str] = (),
    empty: str = "Nothing found.",
    quiet: bool = False,
) -> int:
    """Print rows and return how many there were; all formats but the table keep memory flat.

    Args:
        rows: Mappings with the same keys in the same order.
        columns: What the table shows; none: every key of the first row.
        form: The format.
        keys: Header of CSV and tab-separated lines when no row comes.
        empty: What to say on stderr when a table would have no row.
        quiet: Leave that out.
    """
    stream = rows if isinstance(rows, AsyncIterator) else aiter(rows)
    if form is Format.JSON:
        return await _write_json(stream)
    if form is Format.JSONL:
        return await _write_lines(stream, to_json)
    if form is Format.CSV:
        return await _write_csv(stream, keys)
    if not stdout_is_terminal():
        return await _write_tsv(stream, keys)
    collected = [row async for row in stream]
    if not collected and not quiet:
        note(empty)
    if collected:
        shown = columns or columns_of(collected)
        console().print(table(collected, shown))
    return len(collected)


def emit_document(
    document: Row, form: Format, view: Callable[[], Iterable[RenderableType]] | None = None
) -> None:
    """Print one thing: `--json` indented, `--jsonl` in one line, `--csv` as one row, else `view`.

    A pipe gets a line of dotted name and value for each value.

    Args:
        document: Nested mappings and lists of plain values.
        form: The format.
        view: Makes what a terminal shows; none: the document's top level, a line each.
    """
    if form is Format.JSON:
        print(to_json(document, indent=2))
    elif form is Format.JSONL:
        print(to_json(document))
    elif form is Format.CSV:
        row = dict(_flat(document))
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(map(harmless, row))
        writer.writerow(map(_csv_cell, row.values()))
    elif stdout_is_terminal():
        out = console()
        for part in view() if view else [pairs(document)]:
            out.print(part)
    else:
        for key, value in _flat(document):
            print(f"{printable(key)}\t{printable(cell(value))}")


def stdout_is_terminal() -> bool:
    """Tell whether a person reads stdout."""
    return console().is_terminal


def stderr_is_terminal() -> bool:
    """Tell whether a person reads stderr, so that a progress bar makes sense."""
    return console(stderr=True).is_terminal and not logs.as_json()


def note(text: str, **numbers: Any) -> None:
    """Say something that is no data: on stderr, never wrapped.

    Args:
        text: For people.
        numbers: The same for programs, which `--log-json` adds.
    """
    if logs.as_json():
        logs.write("info", text, **numbers)
        return
    console(stderr=True).print(Text(harmless(text)), soft_wrap=True)


def error(message: str, hint: str = "") -> None:
    """Print `error: …` and below it `hint: …` on stderr, never wrapped."""
    if logs.as_json():
        logs.write("error", message, hint=hint)
        return
    for word, style, text in (("error", "bold red", message), ("hint", "cyan", hint)):
        if text:
            safe = "\n".join(printable(line) for line in text.splitlines())
            line = Text.assemble((f"{word}:", style), " ", safe)
            console(stderr=True).print(line, soft_wrap=True)


def _flat(document: Row, prefix: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


async def _write_json(rows: AsyncIterator[Row]) -> int:
    number = 0
    async for row in rows:
        sys.stdout.write("[\n  " if number == 0 else ",\n  ")
        sys.stdout.write(to_json(row))
        number += 1
    print("\n]" if number else "[]")
    return number


async def _write_lines(rows: AsyncIterator[Row], line: Callable[[Row], str]) -> int:
    number = 0
    async for row in rows:
        print(line(row))
        number += 1
    return number


async def _write_csv(rows: AsyncIterator[Row], keys: Sequence[str]) -> int:
    writer = csv.writer(sys.stdout, lineterminator="\n")

    async def safe() -> AsyncIterator[Row]:
        async for row in rows:
            yield {key: _csv_cell(value) for key, value in row.items()}

    return await _write_cells(safe(), keys, writer.writerow)


def _csv_cell(value: Any) -> str:
    """Write a value for CSV: text is of strangers, but a number may well begin with a minus."""
    return cell(value) if isinstance(value, int | float) else safe_cell(harmless(cell(value)))


async def _write_tsv(rows: AsyncIterator[Row], keys: Sequence[str]) -> int:
    def write(cells: Iterable[str]) -> None:
        print("\t".join(printable(text) for text in cells))

    return await _write_cells(rows, keys, write)


async def _write_cells(
    rows: AsyncIterator[Row], keys: Sequence[str], write: Callable[[Iterable[str]], Any]
) -> int:
    number = 0
    async for row in rows:
        if number == 0:
            write(map(harmless, row))
        write(cell(value) for value in row.values())
        number += 1
    if number == 0 and keys:
        write(keys)
    return number
