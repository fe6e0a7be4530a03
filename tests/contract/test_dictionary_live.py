"""The data dictionary against a live database, after a crawl of the demo's web."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import neo4j

from graphcrawl import dictionary, dictionary_elements
from graphcrawl.config import Settings
from graphcrawl.demo.run import run_demo
from graphcrawl.graph import Graph

TYPES = {  # of db.schema.*: the names of 5.26 and 2026, and those announced for the next line
    "String": "STRING",
    "Long": "INTEGER",
    "Double": "FLOAT",
    "Boolean": "BOOLEAN",
    "Date": "DATE",
    "DateTime": "DATETIME",
    "StringArray": "LIST<STRING>",
    "LongArray": "LIST<INTEGER>",
    "ByteArray": "BYTES",
    "ZONED DATETIME": "DATETIME",
}
NODES = """
CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName, propertyTypes, mandatory
RETURN nodeLabels AS labels, propertyName AS name, propertyTypes AS types, mandatory
"""
RELATIONSHIPS = """
CALL db.schema.relTypeProperties() YIELD relType, propertyName, propertyTypes, mandatory
RETURN [relType] AS labels, propertyName AS name, propertyTypes AS types, mandatory
"""
INDEXES = """
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint
WHERE type <> 'LOOKUP'
RETURN name, type, labelsOrTypes AS labels, properties, owningConstraint AS owner
"""
ELEMENTS = {element.name: element for element in dictionary_elements.ELEMENTS}
FURTHER = {label for element in dictionary_elements.ELEMENTS for label, _ in element.labels}


async def ask(graph: Graph, query: str) -> list[dict[str, Any]]:
    at = graph.address
    async with neo4j.AsyncGraphDatabase.driver(
        at.uri, auth=(at.user, at.password), notifications_min_severity="OFF"
    ) as driver:
        found = await driver.execute_query(query, database_=at.database)
    return [record.data() for record in found.records]


async def test_the_live_schema_is_the_one_described(graph: Graph, tmp_path: Path) -> None:
    await run_demo(graph, Settings(home=tmp_path), seed=1, pages=300)
    rows = await ask(graph, NODES) + await ask(graph, RELATIONSHIPS)
    combinations: dict[str, int] = defaultdict(int)
    mandatory: dict[tuple[str, str], int] = defaultdict(int)
    known: set[tuple[str, ...]] = set()
    for row in rows:
        labels = [re.sub("[:`]", "", label) for label in row["labels"]]
        (main,) = (label for label in labels if label in ELEMENTS)
        assert set(labels) - {main} <= FURTHER, labels
        if tuple(sorted(labels)) not in known:
            known.add(tuple(sorted(labels)))
            combinations[main] += 1
        if row["name"] is None:
            continue
        described = {p.name: p for p in ELEMENTS[main].properties}
        assert row["name"] in described, f"{main}.{row['name']} is not in dictionary.py"
        types = {TYPES.get(name.removesuffix(" NOT NULL"), name) for name in row["types"]}
        assert types <= set(described[row["name"]].type.split(" or ")), f"{main}.{row['name']}"
        mandatory[main, row["name"]] += row["mandatory"]
    for main, count in combinations.items():
        for p in ELEMENTS[main].properties:
            assert not p.always or mandatory[main, p.name] == count, f"{main}.{p.name} may lack"
    assert set(combinations) >= {"PageNeuron", "LINK_AXON", "PageText", "HAS_TEXT", "Host"}
    assert set(combinations) >= {"Origin", "Crawl", "Meta", "WriteGate"}


async def test_the_live_indexes_are_the_ones_described(graph: Graph) -> None:
    live = {
        row["name"]: (
            row["labels"][0],
            tuple(row["properties"]),
            "unique" if row["owner"] else row["type"].lower(),
        )
        for row in await ask(graph, INDEXES)
    }
    described = {i.name: (i.label, i.properties, i.kind) for i in dictionary.indexes()}
    assert live == described
