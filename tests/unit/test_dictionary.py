"""The data dictionary against its document and against what the statements write."""

import re
from pathlib import Path

import pytest

from graphcrawl import dictionary, dictionary_elements, queries

DOC = Path(__file__).parents[2] / "docs" / "GRAPH.md"
WRITING = [name for name in queries.names() if queries.load(name).mode in ("write", "auto")]
ASSIGNED = re.compile(r"(?:\bSET\s|,\s)\s*[a-z]\w*\.(\w+)\s*=(?!=)")
LABELLED = re.compile(r"(?:\bSET\s|,\s)\s*[a-z]\w*((?::[A-Z]\w+)+)")


def code(name: str) -> str:
    return re.sub(r"//.*", "", queries.load(name).text)


def test_the_document_is_the_one_that_the_dictionary_writes() -> None:
    assert DOC.read_text(encoding="utf-8") == dictionary.markdown(), (
        "graphcrawl db schema --markdown > docs/GRAPH.md"
    )


@pytest.mark.parametrize("name", WRITING)
def test_what_a_statement_sets_is_described(name: str) -> None:
    properties = {p.name for element in dictionary_elements.ELEMENTS for p in element.properties}
    labels = {element.name for element in dictionary_elements.ELEMENTS}
    labels |= {label for element in dictionary_elements.ELEMENTS for label, _ in element.labels}
    assert set(ASSIGNED.findall(code(name))) <= properties
    found = {label for group in LABELLED.findall(code(name)) for label in group.split(":") if label}
    assert found <= labels


def test_what_is_set_is_seen() -> None:
    """The two patterns above find what stands in a statement that is known."""
    assert {"priority", "feedHint", "inLinks", "reason"} <= set(
        ASSIGNED.findall(code("write/links"))
    )
    assert LABELLED.findall(code("write/feeds")) == [":JobFeed"]


def test_each_name_occurs_once() -> None:
    names = [element.name for element in dictionary_elements.ELEMENTS]
    assert len(set(names)) == len(names)
    for element in dictionary_elements.ELEMENTS:
        properties = [p.name for p in element.properties]
        assert len(set(properties)) == len(properties), element.name


def test_indexes_are_those_of_the_schema_files() -> None:
    found = {index.name: index for index in dictionary.indexes()}
    waiting = found["frontier_host_priority"]
    assert (waiting.label, waiting.properties) == ("Frontier", ("host", "priority"))
    assert (found["page_neuron_url"].kind, waiting.kind) == ("unique", "range")
    made = sum(
        queries.load(name).text.count("CREATE ")
        for name in queries.names()
        if name.startswith("schema/V")
    )
    assert len(found) == made
