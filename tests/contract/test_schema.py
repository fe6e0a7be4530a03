"""Whose database is it, and which schema does it have?"""

import asyncio

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


async def test_several_processes_may_migrate_at_once(graph: Graph) -> None:
    await graph.run_schema("""
        MATCH (m:Meta) SET m.schemaVersion = 4;
        DROP INDEX lists_key; DROP INDEX lists_url_key; DROP INDEX lists_same_as;
        DROP INDEX page_unavailable_after; DROP INDEX host_blocked_at; DROP INDEX alias_of;
        DROP CONSTRAINT forgotten_key; DROP INDEX needs_script_host;
        UNWIND range(1, 300) AS n
        CREATE (a:PageNeuron:Excluded {url: 'http://a.example/' + n, reason: 'redirect',
                                       host: 'a.example', reward: 1.0, strength: 3.0, inLinks: 1}),
               (b:PageNeuron {url: 'http://b.example/' + n, strength: 2.0, inLinks: 2}),
               (a)-[:LINK_AXON {rel: 'redirect', weight: 1.0}]->(b)
    """)
    await asyncio.gather(*(schema.prepare(graph, "test") for _ in range(4)))
    assert (await meta(graph))["schemaVersion"] == max(schema.migrations())
    await graph.run_schema("""
        MATCH (a:Frontier)-[:REDIRECTS_TO]->(b) WHERE NOT a:Excluded  // 1 / 0 where one is wrong
        WITH count(*) AS moved, sum(a.strength) AS a, sum(b.strength) AS b, sum(b.inLinks) AS links
        RETURN 1 / CASE WHEN [moved, a, b, links] = [300, 600.0, 300.0, 300] THEN 1 ELSE 0 END;
        MATCH (n:PageNeuron|Host) DETACH DELETE n
    """)


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
