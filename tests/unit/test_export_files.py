"""What exported tables, drawings and corpora look like to those who read them."""

import csv
import hashlib
import io
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from arro3.io import read_parquet
from lxml import etree

from graphcrawl.errors import UsageError
from graphcrawl.export import check, form_of, tables, texts
from graphcrawl.export.columns import TABLES, Kind, What, iso
from graphcrawl.export.drawings import write_gexf, write_graphml

HOSTILE = '=HYPERLINK("http://x") | `a` <script>alert(1)</script> \x00\x0b\ufffe & ]]> \U0001f600'
EMPTY = {Kind.TEXTS: [], Kind.FLAG: False}


def row(what: What, **values: Any) -> dict[str, Any]:
    """Return a row of a table; what is not given is empty."""
    given = {c.name: EMPTY.get(c.kind) for c in TABLES[what]}
    assert values.keys() <= given.keys()
    return given | values


PAGE = row(
    What.PAGES, id="7", url="http://a.example/", host="a.example", title=HOSTILE, reward=-0.5,
    depth=2, grants=["1 job text", "=2 x y"], seed=True, fetched_at=1_767_225_600_123,
)  # fmt: skip


async def rows(*given: Mapping[str, Any]) -> AsyncIterator[Mapping[str, Any]]:
    for one in given:
        yield one


async def test_csv_is_read_back_and_is_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    assert await tables.write_csv(path, TABLES[What.PAGES], rows(PAGE, PAGE)) == 2
    found = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    assert len(found) == 2
    assert found[0]["title"] == "'" + HOSTILE
    assert found[0]["grants"] == "1 job text; '=2 x y"
    assert (found[0]["reward"], found[0]["depth"], found[0]["seed"]) == ("-0.5", "2", "true")
    assert found[0]["fetched_at"] == "2026-01-01T00:00:00.123Z"
    assert found[0]["priority"] == ""


async def test_json_lines_keep_types(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    await tables.write_jsonl(path, TABLES[What.PAGES], rows(PAGE))
    (line,) = path.read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert list(found) == [column.name for column in TABLES[What.PAGES]]
    assert found == PAGE | {"fetched_at": "2026-01-01T00:00:00.123Z"}


async def test_parquet_keeps_types(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    many = [PAGE | {"depth": number, "fetched_at": None} for number in range(1500)]
    assert await tables.write_parquet(path, TABLES[What.PAGES], rows(PAGE, *many)) == 1501
    table = read_parquet(path).read_all()
    assert table.num_rows == 1501
    assert table.column("depth").to_pylist()[:3] == [2, 0, 1]
    assert table.column("title").to_pylist()[0] == HOSTILE
    assert json.loads(table.column("grants").to_pylist()[0]) == PAGE["grants"]
    assert (
        table.column("fetched_at").to_pylist()[0].isoformat() == "2026-01-01T00:00:00.123000+00:00"
    )
    assert table.column("fetched_at").to_pylist()[1] is None


async def test_markdown_shows_text_and_runs_none(tmp_path: Path) -> None:
    path = tmp_path / "pages.md"
    await tables.write_markdown(path, TABLES[What.PAGES], rows(PAGE))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert "\\<script\\>" in lines[2]
    assert len(lines[2].replace("\\|", "").split("|")) == len(lines[0].split("|"))
    text = row(
        What.TEXTS, id="7", url="http://a.example/", title="# A\nB", text="# one\n    - two\n1. x"
    )
    await tables.write_markdown(path, TABLES[What.TEXTS], rows(text))
    made = path.read_text(encoding="utf-8")
    assert made.startswith("## [\\# A B](<http://a.example/>)\n")
    assert made.endswith("\\# one\n\\- two\n1\\. x\n\n")


@pytest.mark.parametrize("write", [write_graphml, write_gexf])
async def test_drawings_are_whole_xml(tmp_path: Path, write: Any) -> None:
    path = tmp_path / "graph.xml"
    axon = row(What.AXONS, source_id="7", target_id="8", weight=0.5, anchor=HOSTILE, links=2)
    other = PAGE | {"id": "8", "title": None}
    assert await write(path, rows(PAGE, other), rows(axon)) == 3
    tree = etree.parse(path)
    assert [node.get("id") for node in tree.iterfind(".//{*}node")] == ["7", "8"]
    (edge,) = tree.iterfind(".//{*}edge")
    assert (edge.get("source"), edge.get("target")) == ("7", "8")
    values = [
        *edge.itertext(),
        *(value.get("value") for value in edge.iter() if value.get("value")),
    ]
    assert any("<script>" in value and "\ufffd" in value for value in values)
    declared = {key.get("id") for key in tree.iter() if key.tag.endswith(("}key", "}attribute"))}
    used = {data.get("key") or data.get("for") for data in tree.iter() if data.get("key") or
            data.tag.endswith("attvalue")}  # fmt: skip
    assert used <= declared
    weight = edge.get("weight") or tree.findtext(".//{*}data[@key='edge_weight']")
    assert weight == "0.5"


@pytest.mark.parametrize(
    ("what", "name", "form", "found"),
    [
        (What.PAGES, "a.csv", None, "csv"),
        (What.PAGES, "a.CSV.gz", None, "csv"),
        (What.TEXTS, "a.md", None, "markdown"),
        (What.GRAPH, "a.jsonl.gz", None, "jsonl"),
        (What.GRAPH, "a.xml", "graphml", "graphml"),
        (What.HOSTS, "a.csv", "jsonl", "jsonl"),
    ],
)
def test_the_ending_tells_the_form(what: What, name: str, form: str | None, found: str) -> None:
    assert form_of(what, Path(name), form) == found


@pytest.mark.parametrize(
    ("what", "name", "form"),
    [
        (What.PAGES, "a.xlsx", None),
        (What.PAGES, "a", None),
        (What.PAGES, "a.gexf", None),
        (What.GRAPH, "a.csv", None),
        (What.TEXTS, "a.txt", "yaml"),
        (What.PAGES, "a.parquet.gz", None),
    ],
)
def test_a_form_that_does_not_fit_is_refused(what: What, name: str, form: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        form_of(what, Path(name), form)
    assert caught.value.hint


def test_what_contradicts_is_refused_before_a_server_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="reserved"):
        check(What.PAGES, tmp_path / "a.csv", "csv", reserved=True)
    with pytest.raises(UsageError, match="no filter"):
        check(What.GRAPH, tmp_path / "a.jsonl", "jsonl", ["reward>1"])
    with pytest.raises(UsageError, match="rewrad"):
        check(What.PAGES, tmp_path / "a.csv", "csv", ["rewrad>1"])
    texts.manifest_file(tmp_path / "a.csv").touch()
    with pytest.raises(UsageError, match=r"a\.csv\.manifest\.json exists"):
        check(What.TEXTS, tmp_path / "a.csv", "csv")
    assert check(What.HOSTS, tmp_path / "b.csv", "csv", ["blocked=yes"])


def test_times_are_utc() -> None:
    assert iso(0) == "1970-01-01T00:00:00.000Z"
    assert iso(None) is None


def test_texts_are_met_once() -> None:
    seen = texts._Seen()
    hashes = [hashlib.sha256(str(number % 700).encode()).digest()[:16] for number in range(2000)]
    assert sum(map(seen.add, hashes)) == 700
    seen.close()
