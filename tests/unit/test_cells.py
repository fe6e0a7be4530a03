"""No cell of a CSV file is a formula, whichever separator a spreadsheet was told."""

import csv
import io
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphcrawl.cells import safe_cell

SIGNS = "=+-@＝＋－＠"


@pytest.mark.parametrize(
    "text", ["", "Nurse", "a=b", "a - b", "1-2", "a; b", "12 %", "– a", "a\n- b"]
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("\u200b=1+1", "'\u200b=1+1"),
        ("\u200f-1", "'\u200f-1"),
        ("\ufeff@x", "'\ufeff@x"),
        (" \u2060\u00ad +1", "' \u2060\u00ad +1"),
        ("＝1", "'＝1"),
        ("\tx", "'\tx"),
        ("Cook;=1+1", "Cook;'=1+1"),
        ('Cook;\u200b"=1+1', "Cook;\u200b\"'=1+1"),
        ("Cook\t@x|+1\n=2", "Cook\t'@x|'+1\n'=2"),
        ("a\r\n-1+1", "a\r\n'-1+1"),
    ],
)
def test_a_formula_is_no_formula_any_more(text: str, safe: str) -> None:
    assert safe_cell(text) == safe
    assert safe_cell(safe) in (safe, "'" + safe)


def seen(cell: str) -> str:
    """Return a cell without what cannot be seen at its beginning, by Unicode's categories."""
    hidden = {"Cf", "Cc", "Zs", "Zl", "Zp"}
    while cell and (unicodedata.category(cell[0]) in hidden or cell[0] in "\u115f\u3164\ufe0f"):
        cell = cell[1:]
    return cell


@given(st.lists(st.text("ab;\t|,\n\r\"' \u200b\ufeff\ufe0f=+-@＝"), min_size=1, max_size=4))
@settings(max_examples=400)
def test_whatever_the_separator(texts: list[str]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(map(safe_cell, texts))
    for separator in ",;\t|":
        file.seek(0)
        for row in csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=separator):
            for cell in map(seen, row):
                assert not cell.startswith(tuple(SIGNS)) or cell.startswith("- "), (separator, cell)
