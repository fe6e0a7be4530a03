"""Tables on terminals of 80 and 120 columns: no line is broken, and what tells rows apart stays."""

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from graphcrawl.cli import jobs, look
from graphcrawl.cli.tables import Column, columns_of, table

AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
FEEDS = [
    {
        "form": "indeed", "jobs": 12345, "new": 120, "changed": 7, "gone": 33, "cut": 1,
        "read_at": AT, "next_read_at": AT, "error": error,
        "url": f"https://careers.example.org/a/long/way/to/the/feeds/jobs-{n}.xml",
        "found_by": "https://careers.example.org/",
    }
    for n, error in enumerate((None, "http-5xx: 503 Service Unavailable"))
]  # fmt: skip
PAGES = [
    {
        "reward": 123.4, "state": "fetched", "depth": 3, "in_links": 99,
        "url": f"https://www.example.org/jobs/in/a/town/page-{n}.html", "title": "求人 " * 30,
    }
    for n in range(3)
]  # fmt: skip


def lines(rows: list[dict[str, Any]], columns: Any, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(table(rows, columns))
    return [line.rstrip() for line in file.getvalue().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize(
    ("rows", "columns"), [(FEEDS, jobs._FEED_COLUMNS), (PAGES, look._PAGE_COLUMNS)]
)
def test_a_row_is_a_line(
    monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, Any]], columns: Any, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = lines(rows, columns, width)
    assert max(map(cell_len, shown)) <= width
    body = [line for line in shown[1:] if not line.startswith("no room for:")]
    assert len(body) == len(rows)
    for n, line in enumerate(body):
        assert f"-{n}." in line  # the end of an address tells it from the next
        assert "careers.exam" in line or "www.exam" in line


def test_what_leaves_is_named_and_a_column_without_values_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = (
        Column("n"), Column("a"), Column("empty"), Column("b", spare=2), Column("c", spare=1),
    )  # fmt: skip
    row = {"n": 1, "a": "a" * 9, "empty": None, "b": "b" * 9, "c": "c" * 9}
    for width, heads in ((60, "n a empty b c"), (38, "n a b c"), (30, "n a c"), (12, "n a")):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = lines([row], columns, width)
        assert shown[0].split() == heads.split()
    assert shown[2:] == ["no room for:", "b, c"]


def test_rows_of_any_query_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rows = [{f"column{n}": "x" * 50 if n % 2 else 10**9 for n in range(12)}]
    shown = lines(rows, columns_of(rows), 80)
    assert max(map(cell_len, shown)) <= 80
    assert shown[0].split()[:2] == ["column0", "column1"]


def test_sentences_go_on_in_the_next_line_where_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    row = {"name": "reward", "meaning": "what a page earned, and what flowed to it"}
    shown = lines([row], (Column("name"), Column("meaning", wide=True, folds=True)), 30)
    assert " ".join(" ".join(shown[1:]).split()) == f"reward {row['meaning']}"
    assert max(map(cell_len, shown)) <= 30
