"""Tables for people that fit the terminal: what matters least leaves, and long texts are cut."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graphcrawl.cli.words import cell, count, points, printable

_GAP = 2  # blanks between two columns
_NARROWEST = 20  # characters that a cut column keeps while others can leave
_LEAST = 8  # and when none can
_HEAD_SHARE = 0.6  # of a cut address, for its host at most


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table on the terminal; the other formats carry all keys of the row."""

    key: str
    title: str = ""
    show: Callable[[Any], str] | None = None  # how a value is written for people
    justify: Literal["left", "right"] = "left"
    style: str = ""
    wide: bool = False  # may be cut where a line would not fit
    folds: bool = False  # goes on in the next line instead of being cut; for sentences
    spare: int = 0  # leaves where a line would not fit, the highest first; 0: stays


def console(*, stderr: bool = False) -> Console:
    """Return a console on today's stdout or stderr; rich obeys NO_COLOR."""
    return Console(file=sys.stderr if stderr else sys.stdout, highlight=False)


def table(rows: Iterable[Mapping[str, Any]], columns: Sequence[Column]) -> Table:
    """Make a table that fits the terminal.

    Where a line would not fit, columns without any value leave, then the spare ones; wide ones are
    cut, the last ones first, but addresses after all others. What left is named below.
    """
    room = console().width
    held = [dict(row) for row in rows]
    shown = _staying(held, columns, room)
    lines = [[_shown(column, row.get(column.key)) for column in shown] for row in held]
    titles = [column.title or column.key for column in shown]
    natural = [max(map(cell_len, cells)) for cells in zip(titles, *lines, strict=True)]
    addresses = [
        any(text.startswith(("http://", "https://")) for text in texts)
        for texts in zip(*lines, strict=True)
    ]
    order = sorted(range(len(shown)), key=lambda n: (any(addresses[n : n + 1]), -n))
    widths = _fitting(natural, [n for n in order if shown[n].wide], room)
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for column, title, width in zip(shown, titles, widths, strict=True):
        made.add_column(
            title,
            justify=column.justify,
            style=column.style,
            width=width,
            no_wrap=not column.folds,
            overflow="fold" if column.folds else "ellipsis",
        )
    for line in lines:
        made.add_row(*(Text(_cut(text, n)) for text, n in zip(line, widths, strict=True)))
    left = [column.title or column.key for column in columns if column not in shown]
    if left and (named := [name for name in left if _has_value(name, columns, held)]):
        made.caption = Text(f"no room for: {', '.join(named)}", style="dim")
        made.caption_justify = "left"
    return made


def columns_of(rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Choose columns for rows of any query: numbers to the right and whole, text as room allows.

    The last ones leave first where there is no room.
    """
    columns = []
    for place, key in enumerate(rows[0]):
        spare = max(place - 1, 0)
        values = [row[key] for row in rows if row[key] is not None]
        if values and all(type(value) is int for value in values):
            columns.append(Column(key, show=count, justify="right", spare=spare))
        elif values and all(type(value) in (int, float) for value in values):
            columns.append(Column(key, show=points, justify="right", spare=spare))
        else:
            columns.append(Column(key, wide=True, spare=spare))
    return columns


def pairs(document: Mapping[str, Any]) -> Table:
    """Make a table of names and values, a line each."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for key, value in document.items():
        made.add_row(key.replace("_", " "), Text(printable(cell(value))))
    return made


def _staying(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[Column], room: int
) -> list[Column]:
    """Return the columns that stay; those with the highest `spare` leave first."""
    staying = list(columns)
    least = {column.key: _least_width(rows, column) for column in columns}

    def fits() -> bool:
        return sum(least[c.key] for c in staying) + _GAP * (len(staying) - 1) <= room

    if not fits():
        staying = [c for c in staying if any(_shown(c, row.get(c.key)) for row in rows)]
    while not fits() and (spare := [c for c in staying if c.spare]):
        staying.remove(max(spare, key=lambda column: column.spare))
    return staying or list(columns)


def _least_width(rows: Sequence[Mapping[str, Any]], column: Column) -> int:
    texts = (_shown(column, row.get(column.key)) for row in rows)
    natural = max([cell_len(column.title or column.key), *map(cell_len, texts)])
    return min(natural, _NARROWEST) if column.wide else natural


def _fitting(natural: Sequence[int], wide: Sequence[int], room: int) -> list[int]:
    """Cut the wide columns in their order until a line fits, to less than readable at last."""
    widths = list(natural)
    for least in (_NARROWEST, _LEAST):
        for n in wide:
            excess = sum(widths) + _GAP * (len(widths) - 1) - room
            if excess > 0:
                widths[n] = max(min(widths[n], least), widths[n] - excess)
    return widths


def _cut(text: str, width: int) -> str:
    """Cut a text to a width; an address keeps its host and its end, which tell it from others."""
    if cell_len(text) <= width:
        return text
    scheme, separator, rest = text.partition("://")
    if not separator or not scheme.isalpha():
        return text  # rich cuts its end
    if cell_len(rest) <= width:
        return rest
    head = min(cell_len(rest.partition("/")[0]) + 1, int(width * _HEAD_SHARE))
    tail = width - head - 1
    end = rest
    while cell_len(end) > tail:
        end = end[max(1, (cell_len(end) - tail) // 2) :]
    return set_cell_size(rest, head) + "…" + end


def _has_value(title: str, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> bool:
    column = next(c for c in columns if (c.title or c.key) == title)
    return any(_shown(column, row.get(column.key)) for row in rows)


def _shown(column: Column, value: Any) -> str:
    if column.show is not None:
        return printable(column.show(value))
    return printable(cell(value))
