"""Whose database is it, and which schema does it have?"""

import pytest

from graphcrawl import schema
from graphcrawl.errors import SchemaError
from graphcrawl.graph import Graph


async def meta(graph: Graph) -> dict[str, object]:
    return (await graph.run("schema/meta"))[0]


async def test_an_empty_database_gets_the_newest_schema_and_keeps_it(graph: Graph) -> None:
    first = await meta(graph)
    assert (first["graph"], first["schemaVersion"]) == ("test", max(schema.migrations()))
    await schema.prepare(graph, "test")
    assert await meta(graph) == first


async def test_an_older_schema_is_migrated(graph: Graph) -> None:
    await graph.run_schema("MATCH (m:Meta) SET m.schemaVersion = 0; DROP INDEX leased_until")
    await schema.prepare(graph, "test")
    assert (await meta(graph))["schemaVersion"] == max(schema.migrations())
    await graph.run_schema("MATCH (p:Leased) USING INDEX p:Leased(leasedUntil) "
                           "WHERE p.leasedUntil > 0 RETURN p")  # fmt: skip


async def test_another_graphs_database_is_refused(graph: Graph) -> None:
    with pytest.raises(SchemaError, match="holds the graph 'test', not 'other'") as caught:
        await schema.prepare(graph, "other")
    assert "--graph test" in caught.value.hint


async def test_foreign_data_is_refused(graph: Graph) -> None:
    await graph.run_schema("MATCH (m:Meta) DELETE m; CREATE (:Person)")
    with pytest.raises(SchemaError, match="not graphcrawl's"):
        await schema.prepare(graph, "test")


async def test_a_newer_schema_is_refused(graph: Graph) -> None:
    await graph.run_schema("MATCH (m:Meta) SET m.schemaVersion = 999")
    with pytest.raises(SchemaError, match="schema 999"):
        await schema.prepare(graph, "test")
    await graph.run_schema("MATCH (m:Meta) DELETE m")  # else no other run could use this server
