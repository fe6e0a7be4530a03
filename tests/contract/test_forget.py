"""Deletion on request: nothing is left but a hash, and nothing brings it back."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from outcomes import link, moved, page_of
from test_aliases import claim, naming, rewards, seeds
from worlds import MemoryWorld, Neo4jWorld, World, state

from graphcrawl import forget as forgetting
from graphcrawl.config import Paths
from graphcrawl.forget import Target, forget, look
from graphcrawl.forgotten import name_key
from graphcrawl.frontier import Seed
from graphcrawl.job_rows import write_reading
from graphcrawl.models import Posting, Reading
from graphcrawl.rewards import archive as archives
from graphcrawl.rewards import prune, undo

A, B, C = (f"http://h.example/{name}" for name in "abc")
JANE = "http://people.example/jane"
SECRET = "Jane-Doe-of-Rosenheim-" + "zq" * 40  # long enough for a record of its own
TEXT = "Some text about Frau Winterfeldt, twice: Frau Winterfeldt. " * 30


@pytest.fixture(autouse=True)
def no_overwriting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes seconds, and tests/e2e/test_forgetting.py looks at what it does."""
    monkeypatch.setattr(forgetting, "FILL_ROUNDS", 0)


async def everything(world: Neo4jWorld) -> str:
    """Return all properties of all that is in the graph."""
    rows = await world.ask("MATCH (n) RETURN labels(n) AS l, properties(n) AS p")
    rows += await world.ask("MATCH ()-[r]->() RETURN type(r) AS l, properties(r) AS p")
    return json.dumps(rows, default=str)


async def test_a_forgotten_host_leaves_a_hash_and_never_comes_back(
    neo4j_world: Neo4jWorld, tmp_path: Path
) -> None:
    world, frontier, paths = neo4j_world, neo4j_world.frontier("w"), Paths.locate(tmp_path)
    poor = "http://people.example/poor"
    await seeds(frontier, A, B, JANE)
    await frontier.record([page_of(await claim(world, frontier, A), world.clock, [link(JANE)])])
    outcome = page_of(await claim(world, frontier, JANE), world.clock, [link(B), link(poor)])
    await frontier.record([naming(outcome, A)])  # JANE is an alias of A
    await world.ask(
        "MATCH (p:PageNeuron {url: $url})-[:HAS_TEXT]->(t) SET t.text = $text, p.title = $secret",
        url=JANE,
        text=TEXT,
        secret=SECRET,
    )
    await frontier.record([moved(await claim(world, frontier, B), world.clock, JANE)])
    pages = await world.pages()
    assert (pages[B]["aliasOf"], pages[JANE]["aliasOf"]) == (A, A)
    await world.ask(
        "MATCH (p:PageNeuron {url: $poor}) SET p.reward = 0.0, p.bornAt = -9", poor=poor
    )
    await world.ask(
        "MATCH (p:PageNeuron {url: $poor}) SET p.discoveredAt = datetime('2020-01-01')", poor=poor
    )
    pruned = await prune(world.graph, archive_dir=paths.archives, spare_s=0)
    assert pruned.archive is not None
    before = sum(p.get("reward", 0.0) for p in (await world.pages()).values())

    target = Target.of("people.example")
    seen = await look(world.graph, target, paths)
    assert (seen.pages, seen.texts, seen.hosts, seen.archived) == (2, 1, 1, 1)
    assert "people.example" in await everything(world)  # nothing was done yet
    report = await forget(world.graph, target, paths)
    assert (report.pages, report.texts, report.archived) == (2, 1, 1)
    left = await everything(world)
    assert "people.example" not in left
    assert "Winterfeldt" not in left
    assert "people.example" not in Path(report.receipt).read_text()
    assert target.key in Path(report.receipt).read_text()
    assert not list(paths.archives.glob("*"))  # its only row is gone

    # A gave back what it had of JANE and B, and what went is JANE's own
    pages = await world.pages()
    assert "aliasOf" not in pages[B]
    assert rewards(pages, A, B) == [100.0, 100.0]
    assert before - sum(p.get("reward", 0.0) for p in pages.values()) == pytest.approx(100.0)
    assert (pages[A]["strength"], pages[A]["inLinks"]) == (0.0, 0)

    again = await forget(world.graph, target, paths)
    assert again.pages == 0


async def test_only_rows_that_name_it_go_from_archives(
    neo4j_world: Neo4jWorld, tmp_path: Path
) -> None:
    world, frontier, paths = neo4j_world, neo4j_world.frontier("w"), Paths.locate(tmp_path)
    await seeds(frontier, A, JANE)
    await frontier.record(
        [page_of(await claim(world, frontier, A), world.clock, [link(JANE), link(B)])]
    )
    await world.ask("MATCH (p:PageNeuron) REMOVE p:Seed:Leased SET p.reward = 0.0")
    await world.ask("MATCH (p:PageNeuron) SET p.discoveredAt = datetime('2020-01-01')")
    path = (await prune(world.graph, archive_dir=paths.archives, spare_s=0)).archive
    assert path is not None
    report = await forget(world.graph, Target.of(JANE), paths)
    assert (report.pages, report.archived) == (1, 2)  # its own row, and A's axon to it
    assert archives.check(path) == "test"  # with a checksum that fits
    assert b"people.example" not in path.read_bytes()
    assert (await undo(world.graph, path)).neurons == 2
    assert set(await world.axons()) == {(A, B)}


async def test_no_copy_of_an_archive_brings_it_back(
    neo4j_world: Neo4jWorld, tmp_path: Path
) -> None:
    world, frontier, paths = neo4j_world, neo4j_world.frontier("w"), Paths.locate(tmp_path)
    await seeds(frontier, A, JANE)
    await world.ask("MATCH (p:PageNeuron) REMOVE p:Seed SET p.reward = 0.0")
    await world.ask("MATCH (p:PageNeuron) SET p.discoveredAt = datetime('2020-01-01')")
    pruned = await prune(world.graph, archive_dir=tmp_path / "elsewhere", spare_s=0)
    assert pruned.archive is not None
    await forget(world.graph, Target.of("people.example"), paths)
    assert (await undo(world.graph, pruned.archive)).neurons == 1
    assert "people.example" not in await everything(world)


async def test_no_error_still_names_it(neo4j_world: Neo4jWorld, tmp_path: Path) -> None:
    """Nor where the graph has lost that it was a redirect: undoing a prune once left it so."""
    world, frontier, paths = neo4j_world, neo4j_world.frontier("w"), Paths.locate(tmp_path)
    other = "http://people.example/other"
    await seeds(frontier, JANE, other, B)
    await frontier.record([page_of(await claim(world, frontier, other), world.clock, [link(JANE)])])
    await frontier.record([moved(await claim(world, frontier, B), world.clock, JANE)])
    await world.ask("MATCH (:PageNeuron)-[r:REDIRECTS_TO]->() DELETE r")
    seen = await look(world.graph, Target.of("people.example"), paths)
    assert seen.axons == 1  # though it has two ends
    assert JANE in (await world.pages())[B]["error"]
    await forget(world.graph, Target.of("people.example"), paths)
    assert "people.example" not in await everything(world)


async def test_no_feed_brings_its_jobs_back(neo4j_world: Neo4jWorld, tmp_path: Path) -> None:
    """A feed of somebody else still lists them; it counts as before, for it was read whole."""
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    await seeds(frontier, A)
    postings = [
        Posting(title="Cook", url=JANE, own_id="1001"),
        Posting(title="Baker", url="http://PEOPLE.example:80/x", own_id="1002"),
        Posting(title="Nurse", url=B, own_id="1003"),
    ]
    reading = Reading(of_feed=True)

    async def read() -> tuple[int, set[str]]:
        at = datetime.now(UTC)
        report = await write_reading(world.graph, A, [postings], reading, at)
        rows = await world.ask("MATCH (j:Job) WHERE j.goneAt IS NULL RETURN j.title AS title")
        return report.listed, {row["title"] for row in rows}

    assert await read() == (3, {"Cook", "Baker", "Nurse"})
    await forget(world.graph, Target.of(JANE), Paths.locate(tmp_path))
    assert await read() == (3, {"Baker", "Nurse"})
    await world.ask("MATCH (j:Job) WHERE j.title = 'Baker' DETACH DELETE j")  # its URL is odd
    await forget(world.graph, Target.of("people.example"), Paths.locate(tmp_path))
    assert await read() == (3, {"Nurse"})


async def shut_out(world: World, key: str, tmp_path: Path) -> None:
    """Forget a host in either world."""
    if isinstance(world, Neo4jWorld):
        await forget(world.graph, Target.of("people.example"), Paths.locate(tmp_path))
    elif isinstance(world, MemoryWorld):
        world.graph.forgotten.add(key)


async def test_nothing_brings_it_back(world: World, tmp_path: Path) -> None:
    """Neither a link nor a seed, a redirect, a canonical or what is learnt about the host."""
    frontier = world.frontier("w")
    await seeds(frontier, A, B, C)
    await shut_out(world, name_key("people.example"), tmp_path)
    report = await frontier.seed([Seed(JANE, "people.example", 100.0), Seed(A, "h.example", 1.0)])
    assert (report.known, report.new, report.forgotten) == (1, 0, 1)
    at_a = page_of(await claim(world, frontier, A), world.clock, [link(JANE), link(B)])
    away = moved(await claim(world, frontier, B), world.clock, JANE)
    at_c = naming(page_of(await claim(world, frontier, C), world.clock), JANE)
    await frontier.record([at_a, away, at_c])
    pages = await world.pages()
    assert pages.keys() == {A, B, C}
    assert set(await world.axons()) == {(A, B)}
    assert (state(pages[B]), pages[B]["reason"]) == ("Excluded", "forgotten")
    assert "people.example" not in str(pages)
    assert (await world.hosts()).keys() == {"h.example"}
