"""Exports of a real graph, and its copy that goes on where it stopped."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from arro3.io import read_parquet
from neurons import Database, database

from graphcrawl import schema
from graphcrawl.dictionary_elements import ELEMENTS
from graphcrawl.errors import SchemaError, UsageError
from graphcrawl.export import What, export, lines, restore
from graphcrawl.frontier import Neo4jFrontier
from graphcrawl.graph import Graph

NAME = "test"
TIME = datetime(2026, 1, 31, 12, tzinfo=UTC)
OWN = {"graph", "schemaVersion", "productVersion", "importing", "updatedAt"}


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def value(kind: str, number: int) -> Any:
    return {
        "STRING": f"text {number} ż",
        "INTEGER": 2**53 + number,
        "FLOAT": number / 3,
        "BOOLEAN": True,
        "DATETIME": TIME + timedelta(microseconds=number),
        "LIST<STRING>": [f"a {number}", "b"],
        "LIST<INTEGER>": [number, -(2**60)],
        "BYTES": bytes([number % 256, 0, 255]),
    }[kind]


def properties(name: str, number: int) -> dict[str, Any]:
    element = next(e for e in ELEMENTS if e.name == name)
    return {p.name: value(p.type, number * 100 + n) for n, p in enumerate(element.properties)}


def build_everything(db: Database) -> None:
    """Put in each label, relationship and property that the dictionary knows."""
    page = next(e for e in ELEMENTS if e.name == "PageNeuron")
    for number, (label, _) in enumerate(page.labels):
        said = properties("PageNeuron", number) | {"url": f"http://h.example/{number}"}
        if label == "Leased":
            said["leasedUntil"] = TIME  # ran out
        db.run(f"CREATE (p:PageNeuron:{label}) SET p = $p", p=said)
    db.run("MATCH (p:PageNeuron {url: 'http://h.example/0'}) CREATE (p)-[:HAS_TEXT]->(t:PageText) "
           "SET t = $t", t=properties("PageText", 1))  # fmt: skip
    for name in ("Host", "Origin", "Crawl", "Job", "Forgotten", "Model"):
        for number in (1, 2):
            db.run(f"CREATE (n:{name}) SET n = $p", p=properties(name, number))
    for gate in ("record", "claim", "jobs"):
        said = properties("WriteGate", 3) | {"name": gate}
        db.run("MERGE (g:WriteGate {name: $p.name}) SET g = $p", p=said)
    meta = {k: v for k, v in properties("Meta", 4).items() if k not in OWN}
    db.run("MATCH (m:Meta) SET m += $p", p=meta)
    for number, name in enumerate(e.name for e in ELEMENTS if not e.is_node):
        if name == "HAS_TEXT":
            continue
        end = "Job" if name == "LISTS" else "PageNeuron {url: 'http://h.example/2'}"
        db.run(
            f"MATCH (s:PageNeuron {{url: 'http://h.example/1'}}) MATCH (t:{end}) WITH s, t LIMIT 1 "
            f"CREATE (s)-[a:{name}]->(t) SET a = $p",
            p=properties(name, number),
        )


def everything(db: Database) -> list[str]:
    """Return all nodes and relationships as text, told apart by what they are."""
    nodes = db.run("MATCH (n) RETURN labels(n) AS labels, properties(n) AS p")
    axons = db.run(
        "MATCH (s)-[a]->(t) RETURN coalesce(s.key, s.url) AS s, type(a) AS k, "
        "properties(a) AS p, coalesce(t.key, t.url, t.text) AS t"
    )
    said = []
    for row in [*nodes, *axons]:
        if row.get("labels") == ["Meta"]:
            row["p"] = {k: v for k, v in row["p"].items() if k not in OWN}
        parts = {**row, "labels": sorted(row.get("labels", [])), "p": sorted(row["p"].items())}
        said.append(repr(parts))
    return sorted(said)


async def write_whole(graph: Graph, path: Path) -> int:
    return (await export(graph, What.GRAPH, path, name=NAME, force=True)).rows


async def read_whole(graph: Graph, path: Path) -> None:
    await schema.prepare(graph, NAME, importing=True)
    await restore.read(graph, path, NAME, lines.check(path), lambda _: None)


async def wipe(graph: Graph) -> None:
    await graph.run_schema("MATCH (n) DETACH DELETE n")
    await schema.prepare(graph, NAME)


async def test_a_copy_has_everything(graph: Graph, db: Database, tmp_path: Path) -> None:
    build_everything(db)
    before = everything(db)
    for name in ("a.jsonl", "a.jsonl.gz"):
        written = await write_whole(graph, tmp_path / name)
        assert written == len(before) - 2  # a text and what leads to it stand with its page
        await wipe(graph)
        await read_whole(graph, tmp_path / name)
        assert everything(db) == before
    await write_whole(graph, tmp_path / "b.jsonl")
    first, second = ((tmp_path / name).read_text().splitlines() for name in ("a.jsonl", "b.jsonl"))
    assert len(first) == len(second)
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()).count(b"\n") == len(first)


async def test_a_copy_goes_on_with_the_same_pages(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """Of equals the order of the store decides, which only a store never used before keeps."""
    db.run(
        "UNWIND range(0, 399) AS i CREATE (:PageNeuron:Frontier {url: 'http://h' + i % 20 + "
        "'.example/' + i, neuronId: i, host: 'h' + i % 20 + '.example', depth: i % 3, reward: 1.0,"
        " priority: toFloat(i * 7919 % 401)})"
    )
    db.run(
        "UNWIND range(0, 19) AS i CREATE (:Host {name: 'h' + i + '.example', "
        "bestPriority: 400.0 - i})"
    )
    await write_whole(graph, tmp_path / "a.jsonl")

    async def next_pages() -> list[str]:
        frontier = Neo4jFrontier(graph, "crawl", "worker")
        return [claim.url for claim in await frontier.claim(pages=100, per_host=5, lease_s=60)]

    expected = await next_pages()
    assert len(expected) == 100
    await wipe(graph)
    await read_whole(graph, tmp_path / "a.jsonl")
    assert await next_pages() == expected


async def test_what_was_broken_off_goes_on_and_nothing_else_works_meanwhile(
    graph: Graph, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_everything(db)
    before = everything(db)
    path = tmp_path / "a.jsonl"
    await write_whole(graph, path)
    await wipe(graph)
    read = lines.read

    def cut(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
        for number, row in enumerate(read(path)):
            if number == 20:
                raise KeyboardInterrupt
            yield row

    monkeypatch.setattr(restore, "_ROWS", 3)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(lines, "read", cut)
        await read_whole(graph, path)
    assert 0 < len(everything(db)) < len(before)
    with pytest.raises(SchemaError, match="broken off") as caught:
        await schema.prepare(graph, NAME)
    assert "db reset" in caught.value.hint
    other = tmp_path / "other.jsonl"
    await asyncio.to_thread(_change_the_time_of, path, other)
    with pytest.raises(UsageError, match="not empty"):
        await read_whole(graph, other)
    await read_whole(graph, path)
    assert everything(db) == before
    await schema.prepare(graph, NAME)
    with pytest.raises(UsageError, match="not empty"):
        await read_whole(graph, path)
    assert everything(db) == before


def _change_the_time_of(path: Path, other: Path) -> None:
    """Write a file that differs in its head alone, and so in its checksum."""
    from hashlib import sha256

    rows = path.read_text().splitlines(keepends=True)
    head = json.loads(rows[0]) | {"exported_at": "2020-01-01T00:00:00Z"}
    text = "".join([json.dumps(head) + "\n", *rows[1:-1]])
    end = json.loads(rows[-1]) | {"sha256": sha256(text.encode()).hexdigest()}
    other.write_text(text + json.dumps(end) + "\n")


async def test_a_graph_that_changes_is_not_copied(
    graph: Graph, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.build([1.0, 2.0], [(0, 1, 1.0)])
    db.set(0, ":Leased", leasedUntil=datetime.now(UTC) + timedelta(minutes=5))
    with pytest.raises(UsageError, match="A crawl holds 1 pages"):
        await write_whole(graph, tmp_path / "a.jsonl")
    db.set(0, leasedUntil=TIME)
    stream = Graph.stream

    async def changing(self: Graph, name: str, **parameters: Any) -> AsyncIterator[Any]:
        async for row in stream(self, name, **parameters):
            yield row
        if name == "export/neurons":
            db.run("MERGE (g:WriteGate {name: 'claim'}) SET g.token = 1")

    with monkeypatch.context() as patch, pytest.raises(UsageError, match="was changed"):
        patch.setattr(Graph, "stream", changing)
        await write_whole(graph, tmp_path / "a.jsonl")
    db.run("CREATE (:Strange)")
    with pytest.raises(UsageError, match="not graphcrawl's"):  # `db compact` would lose it
        await write_whole(graph, tmp_path / "a.jsonl")
    assert not list(tmp_path.iterdir())


async def test_a_copy_of_an_older_schema_gets_what_came_since(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([1.0], [])
    db.set(0, ":Fetched", grants=["10 job text"], discoveredAt=TIME)
    db.run("MATCH (m:Meta) SET m.schemaVersion = 10")
    await write_whole(graph, tmp_path / "a.jsonl")
    await wipe(graph)
    await read_whole(graph, tmp_path / "a.jsonl")
    (page,) = db.run("MATCH (p:PageNeuron) RETURN p.worth AS worth, p.number AS number")
    assert page["number"] == 1  # V011
    assert page["worth"] == pytest.approx(0.6321, abs=1e-4)
    newest = max(schema.migrations())
    assert db.run("MATCH (m:Meta) RETURN m.schemaVersion AS v") == [{"v": newest}]
    db.run("MATCH (m:Meta) SET m.schemaVersion = 99")
    await write_whole(graph, tmp_path / "b.jsonl")
    await wipe(graph)
    with pytest.raises(SchemaError, match="schema 99"):
        await read_whole(graph, tmp_path / "b.jsonl")


async def test_tables_hold_what_passes(graph: Graph, db: Database, tmp_path: Path) -> None:
    db.build([3.0, 2.0, None, 1.0], [(0, 1, 1.0), (1, 0, 0.5), (0, 3, 1.0)])
    db.set(0, ":Fetched:Seed", title="=A", fetchedAt=TIME, grants=["1 a text"], discoveredAt=TIME)
    db.set(2, ":Pruned")
    db.run("CREATE (:Host {name: 'h.example', requests: 4, delayS: 1.0})")

    async def table(what: Any, name: str, *where: str) -> list[dict[str, Any]]:
        path = tmp_path / name
        done = await export(graph, what, path, name=NAME, expressions=where, force=True)
        if name.endswith(".parquet"):
            found = read_parquet(path).read_all()
            columns = {c: found.column(c).to_pylist() for c in found.schema.names}
            rows = [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
        else:
            rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert done.rows == len(rows)
        return rows

    pages = await table(What.PAGES, "p.jsonl")
    assert [page["id"] for page in pages] == ["0", "1", "2", "3"]
    assert (pages[0]["title"], pages[0]["state"], pages[0]["seed"]) == ("=A", "fetched", True)
    assert pages[0]["fetched_at"] == "2026-01-31T12:00:00.000Z"
    assert [page["id"] for page in await table(What.PAGES, "p.parquet", "reward>1")] == ["0", "1"]
    axons = await table(What.AXONS, "a.parquet", "reward>1")
    assert [(a["source_id"], a["target_id"], a["weight"]) for a in axons] == [
        ("0", "1", 1.0), ("1", "0", 0.5),
    ]  # fmt: skip
    assert len(await table(What.AXONS, "a.jsonl")) == 3
    (host,) = await table(What.HOSTS, "h.jsonl", "requests>=4")
    assert (host["host"], host["pages"], host["fetched"], host["reward"]) == (
        "h.example",
        3,
        1,
        6.0,
    )
    assert await table(What.HOSTS, "h.jsonl", "requests>4") == []
    drawn = await export(graph, What.GRAPH, tmp_path / "g.gexf", name=NAME)
    assert drawn.rows == 3 + 3
    text = (tmp_path / "g.gexf").read_text()
    assert text.count("<node ") == 3
    assert text.count("<edge ") == 3


async def test_a_corpus_obeys_its_authors(graph: Graph, db: Database, tmp_path: Path) -> None:
    db.build([1.0] * 8, [])
    texts = ["one", "two", "one", "tdm", "archive", "late", " ", "alias"]
    for number, text in enumerate(texts):
        db.set(number, ":Fetched", fetchedAt=TIME, language="de", worth=0.5)
        db.run("MATCH (p:PageNeuron {neuronId: $n}) CREATE (p)-[:HAS_TEXT]->"
               "(:PageText {title: 'T', text: $t})", n=number, t=text)  # fmt: skip
    db.set(3, reserved=True, wishes=["noai"])
    db.set(4, wishes=["noarchive"])
    db.set(5, unavailableAfter=TIME)
    db.set(7, ":Alias")
    path = tmp_path / "corpus.jsonl"
    done = await export(graph, What.TEXTS, path, name=NAME)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["text"] for row in rows] == ["one", "two"]
    assert list(rows[0]) == ["id", "url", "title", "language", "date", "score", "text", "digest"]
    assert rows[0]["digest"] == "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    left_out = {"reserved": 1, "wished": 2, "repeated": 1, "alias": 1, "empty": 1}
    assert done.left_out == left_out
    assert done.manifest == tmp_path / "corpus.jsonl.manifest.json"
    manifest = json.loads(done.manifest.read_text())
    assert (manifest["texts"], manifest["pages"], manifest["left_out"]) == (2, 8, left_out)
    assert manifest["bytes"] == path.stat().st_size
    more = await export(graph, What.TEXTS, tmp_path / "all.csv", name=NAME, reserved=True)
    assert more.rows == 3
    with pytest.raises(UsageError, match="exists"):
        await export(graph, What.TEXTS, path, name=NAME)
