"""A run without wishes goes on as the last one did, and explanations judge as it did."""

import json
from pathlib import Path

import pytest
from worlds import Neo4jWorld

from graphcrawl.config import OrderSettings, Settings, TopicSettings
from graphcrawl.errors import UsageError
from graphcrawl.foretell import foretell
from graphcrawl.judging import judging_in
from graphcrawl.last_run import (
    as_last_run,
    has_goal,
    kept_wishes,
    last_run,
    require_same,
    with_words,
)
from graphcrawl.scoring.candidate import Candidate

COMPOSITE = Settings(
    order=OrderSettings(by="composite", keywords={"nurse": 2.0}, weights={"keywords": 0.9}),
    topic=TopicSettings(examples=("ex/a.txt", "https://a.example/"), measure="dice"),
)


async def started(world: Neo4jWorld, settings: str, number: int = 1, *, fetched: int = 1) -> None:
    name = f"run {number}"
    await world.graph.run(
        "write/start_crawl", id=name, settings=settings, rulesDigest="", nowMs=number
    )
    await world.ask("MATCH (c:Crawl {id: $id}) SET c.fetched = $n", id=name, n=fetched)


async def test_a_run_without_wishes_takes_over_those_of_the_last(neo4j_world: Neo4jWorld) -> None:
    graph, plain = neo4j_world.graph, Settings()
    assert as_last_run(await last_run(graph), plain) == plain
    await started(neo4j_world, json.dumps(kept_wishes(plain, {})), 1)
    await started(neo4j_world, json.dumps(kept_wishes(COMPOSITE, COMPOSITE.order.keywords)), 2)
    bad = Settings(topic=TopicSettings(examples=("http://a.example/gone",)))
    await started(neo4j_world, json.dumps(kept_wishes(bad, {})), 3, fetched=0)
    taken = as_last_run(await last_run(graph), plain)
    assert taken.order == COMPOSITE.order
    assert taken.topic.measure == "dice"
    assert taken.topic.examples == (str(Path("ex/a.txt").resolve()), "https://a.example/")
    last = await last_run(graph)
    assert has_goal(last, COMPOSITE)
    assert not has_goal(last, plain)


async def test_a_run_beside_another_goes_by_its_order_and_topic(neo4j_world: Neo4jWorld) -> None:
    """Even if that one has fetched nothing yet; one that has ended binds nobody."""
    graph, plain = neo4j_world.graph, Settings()
    await started(neo4j_world, json.dumps(kept_wishes(plain, {})), 1)
    kept = json.dumps(kept_wishes(COMPOSITE, COMPOSITE.order.keywords))
    more = {"settings": kept, "rulesDigest": ""}
    await graph.run("write/start_crawl", id="alive", **more)
    last = await last_run(graph)
    require_same(last, COMPOSITE)
    require_same(last, as_last_run(last, plain))
    with pytest.raises(UsageError, match="by its own order composite"):
        require_same(last, plain)
    other = COMPOSITE.model_copy(update={"topic": TopicSettings(examples=("other.txt",))})
    with pytest.raises(UsageError, match="by its own topic"):
        require_same(last, other)
    await graph.run("write/finish_crawl", id="alive", stopReason="done")
    require_same(await last_run(graph), COMPOSITE)


@pytest.mark.parametrize("kept", ["", "[]", "{}", '{"order": {"by": "of old"}, "topic": {}}'])
async def test_what_an_older_version_kept_changes_nothing(
    neo4j_world: Neo4jWorld, kept: str
) -> None:
    await started(neo4j_world, kept)
    assert await last_run(neo4j_world.graph) is None
    assert as_last_run(await last_run(neo4j_world.graph), COMPOSITE) == COMPOSITE


async def test_explanations_go_by_the_words_of_the_last_run(neo4j_world: Neo4jWorld) -> None:
    """Also where these were those of its rules, and no settings tell them."""
    await started(neo4j_world, json.dumps(kept_wishes(Settings(), {"nurse": 1.0})))
    last = await last_run(neo4j_world.graph)
    assert with_words(Settings(), last).order.keywords == {"nurse": 1.0}
    judging = await judging_in(neo4j_world.graph, Settings())
    page = Candidate("http://a.example/nurse", "a.example")
    parts = {part.name: part.value for part in judging.composite.explain(page)}
    assert parts["keywords"] > 0


async def test_a_link_is_scored_by_the_order_too(neo4j_world: Neo4jWorld) -> None:
    await started(neo4j_world, json.dumps(kept_wishes(COMPOSITE, COMPOSITE.order.keywords)))
    await neo4j_world.graph.run("order/note", order="composite")
    found = await foretell(
        "http://a.example/x", Settings(), graph=neo4j_world.graph, anchors=["Nurse"]
    )
    assert found.score is not None
    assert found.score.order == "composite"
    parts = {piece.name: piece for piece in found.score.pieces}
    assert parts["keywords"].weight == 0.9
    assert parts["keywords"].part > 0
    assert sum(piece.part for piece in found.score.pieces) == pytest.approx(found.score.now)
