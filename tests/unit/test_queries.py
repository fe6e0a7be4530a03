"""Every statement has an honest header, and every statement is used."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphcrawl
from graphcrawl import queries
from graphcrawl.errors import QueryError

NAMES = queries.names()
SOURCES = "\n".join(
    path.read_text(encoding="utf-8") for path in Path(graphcrawl.__file__).parent.rglob("*.py")
)
FOLDERS = set(
    "analysis block check control demo evaluate explain explore export fold forget frontier import "
    "jobs look model order prune reward schema search write".split()
)


@pytest.mark.parametrize("name", NAMES)
def test_header_is_complete(name: str) -> None:
    statement = queries.load(name)
    assert name.split("/", maxsplit=1)[0] in FOLDERS
    assert statement.title
    assert statement.title[0].isupper()
    assert not statement.title.startswith(("mode", "params"))
    assert statement.mode in queries.MODES
    assert statement.returns
    assert statement.source
    keys = re.findall(r"^// (\w+):", statement.text, re.MULTILINE)
    assert keys == ["mode", "params", "returns", "source"]


@pytest.mark.parametrize("name", NAMES)
def test_declared_parameters_are_the_used_ones(name: str) -> None:
    statement = queries.load(name)
    assert set(statement.parameters) == queries.used_parameters(statement.text)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_say_what_they_are(name: str) -> None:
    for parameter in queries.load(name).parameters.values():
        assert parameter.type
        assert parameter.meaning


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith(("explore/", "schema/V"))])
def test_no_statement_is_orphaned(name: str) -> None:
    assert f'"{name}"' in SOURCES


def test_no_statement_is_missing() -> None:
    used = re.findall(rf'"((?:{"|".join(sorted(FOLDERS))})/\w+)"', SOURCES)
    assert set(used) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_one_statement_a_file(name: str) -> None:
    statement = queries.load(name)
    if statement.mode != "schema":
        assert len(queries.split_statements(statement.text)) == 1
        assert ";" not in queries.split_statements(statement.text)[0]


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_matched_by_their_own_label(name: str) -> None:
    """`MATCH (p:Leased {url: …})` reads every leased page."""
    code = " ".join(queries.split_statements(queries.load(name).text))
    assert not re.search(r":(Frontier|Leased|Seed|JobFeed|Fetched|Failed) *\{", code)


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("schema/")])
def test_nobody_elses_meta_is_taken_for_ours(name: str) -> None:
    """The label is a common name; ours has the graph's."""
    code = " ".join(queries.split_statements(queries.load(name).text))
    for variable in re.findall(r"\((\w+):Meta\)", code):
        assert f"{variable}.graph" in code


HEADER = "// Title\n// mode: read\n// params: $a INTEGER rows = 5\n//         $b STRING host key\n"


def test_header_is_read() -> None:
    statement = queries.parse_statement(
        "x/y", HEADER + "// returns: a,\n//   b\n// source: [000]\nRETURN $a, $b"
    )
    assert (statement.title, statement.mode) == ("Title", "read")
    assert (statement.returns, statement.source) == ("a, b", "[000]")
    a, b = statement.parameters.values()
    assert (a.name, a.type, a.meaning, a.default, a.required) == ("a", "INTEGER", "rows", 5, False)
    assert (b.name, b.type, b.meaning, b.required) == ("b", "STRING", "host key", True)


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 1",
        "// Title\nRETURN 1",
        "// Title\n// mode: often\nRETURN 1",
        "// Title\n// mode: read\n// params: a INTEGER\nRETURN 1",
    ],
)
def test_wrong_header_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        queries.parse_statement("x/y", text)


def test_unknown_name_is_refused() -> None:
    with pytest.raises(QueryError) as caught:
        queries.load("frontier/nonsense")
    assert "graphcrawl query list" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("RETURN 'https://a.example/$no' AS x, $yes", {"yes"}),
        ('RETURN "it\'s // no comment; $no", $yes // $no', {"yes"}),
        ("RETURN 'a\\'b // $no', $yes /* $no\n $no */", {"yes"}),
        ("MATCH (n:`$odd // label`) RETURN $yes", {"yes"}),
    ],
)
def test_parameters_in_strings_and_comments_are_none(text: str, used: set[str]) -> None:
    assert queries.used_parameters(text) == used


def test_statements_are_split_outside_strings_and_comments() -> None:
    text = "// a; b\nRETURN 'x;y // z'; /* ; */ RETURN \"https://a.example/;\";\n// end"
    assert queries.split_statements(text) == [
        "RETURN 'x;y // z'",
        'RETURN "https://a.example/;"',
    ]


@given(st.text(alphabet="ab;/*'\"\\`$ \n", max_size=40))
def test_any_text_can_be_scanned(text: str) -> None:
    for piece in queries.split_statements(text):
        assert piece == piece.strip() != ""
    queries.used_parameters(text)


def test_filters_mean_the_same_wherever_they_stand() -> None:
    """The terms of a filter are compiled to one expression, which stands in one file."""
    part = (queries.cypher_root() / "look/passes.part").read_text(encoding="utf-8").strip()
    filtered = {name for name in NAMES if "terms" in queries.load(name).parameters}
    assert filtered >= {"look/pages", "look/jobs", "look/new_jobs", "evaluate/pages"}
    assert all(part in queries.load(name).text for name in filtered)
