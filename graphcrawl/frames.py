"""Rows of the graph as pandas DataFrames whose columns have a stated type and unit.

Times are UTC-aware, whole numbers and truth values may be missing (`Int64`, `boolean`).
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from graphcrawl.errors import UsageError

try:
    import pandas as pd
except ImportError as error:
    raise UsageError(
        "Analysis needs pandas, which is not installed.", 'pip install "graphcrawl[notebooks]"'
    ) from error

Kind = Literal["text", "number", "count", "time", "flag", "list"]

_DTYPES: Mapping[Kind, str] = {
    "text": "str",
    "number": "float64",
    "count": "Int64",
    "time": "datetime64[us, UTC]",
    "flag": "boolean",
    "list": "object",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame."""

    name: str  # with its unit at the end where it has one: `_s`, `_at`
    kind: Kind
    unit: str  # empty: it has none
    meaning: str

    @property
    def dtype(self) -> str:
        """The type that pandas keeps it in."""
        return _DTYPES[self.kind]


def described(*lines: str) -> tuple[Column, ...]:
    """Read columns that are written as `name | kind | unit | meaning`."""
    return tuple(_column(*(part.strip() for part in line.split("|"))) for line in lines)


def _column(name: str, kind: str, unit: str, meaning: str) -> Column:
    known: dict[str, Kind] = {k: k for k in _DTYPES}
    return Column(name, known[kind], unit, meaning)


def chosen(known: Sequence[Column], wanted: Iterable[str] | None) -> tuple[Column, ...]:
    """Return the columns that are wanted, in the order in which they are named.

    Args:
        known: All that there are.
        wanted: Names; None: all.

    Raises:
        UsageError: One is unknown, or none is named.
    """
    if wanted is None:
        return tuple(known)
    by_name = {column.name: column for column in known}
    names = list(dict.fromkeys([wanted] if isinstance(wanted, str) else wanted))
    unknown = next((name for name in names if name not in by_name), None)
    if unknown is not None or not names:
        near = get_close_matches(str(unknown), by_name, n=1, cutoff=0.6)
        guess = f"Did you mean {near[0]!r}?  " if near else ""
        wrong = "No column is named." if not names else f"There is no column {unknown!r}."
        raise UsageError(wrong, f"{guess}Columns: {', '.join(by_name)}")
    return tuple(by_name[name] for name in names)


async def gather(columns: Sequence[Column], rows: AsyncIterator[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a frame of rows that come one by one; only the wanted values are kept.

    Args:
        columns: What to keep, by the rows' own keys.
        rows: One mapping a row.
    """
    values: dict[str, list[Any]] = {column.name: [] for column in columns}
    async for row in rows:
        for name, kept in values.items():
            kept.append(row[name])
    return _frame(columns, values)


def frame(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a frame of rows; a column that no row has is empty."""
    found = list(rows)
    return _frame(columns, {c.name: [row[c.name] for row in found] for c in columns})


def _frame(columns: Sequence[Column], values: Mapping[str, list[Any]]) -> pd.DataFrame:
    return pd.DataFrame({c.name: _series(c, values[c.name]) for c in columns})


def _series(column: Column, values: list[Any]) -> "pd.Series[Any]":
    if column.kind == "time":
        return pd.Series(pd.to_datetime(pd.Series(values, dtype="object"), utc=True)).astype(
            column.dtype
        )
    return pd.Series(values, dtype=column.dtype)
