"""What scorers learned, kept in a real Neo4j: shared, folded, refused where it is damaged."""

import math
from collections.abc import Iterator

import pytest
from neurons import Database, database

from graphcrawl.config import QualitySettings, Settings
from graphcrawl.foretell import foretell, learned
from graphcrawl.graph import Graph
from graphcrawl.model import ModelStore, read_model
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.quality import Quality

GOOD = Candidate("http://a.example/docs/good.html", "a.example")
BAD = Candidate("http://b.example/blog/bad.php?x=1", "b.example")


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def taught(lessons: int = 20) -> Quality:
    scorer = Quality()
    for _ in range(lessons // 2):
        scorer.learn(GOOD, 0.9)
        scorer.learn(BAD, 0.1)
    return scorer


def assert_tells_good_from_bad(scorer: Quality) -> None:
    assert scorer.predict(GOOD).value > 0.7
    assert scorer.predict(BAD).value < 0.3


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def run(db: Database, part: str, *, ended: bool) -> None:
    db.run(
        "CREATE (c:Crawl {id: $id}) "
        "FOREACH (_ IN CASE WHEN $ended THEN [1] ELSE [] END | SET c.finishedAt = datetime())",
        id=part,
        ended=ended,
    )


def parts(db: Database) -> dict[str, int]:
    rows = db.run("MATCH (m:Model) RETURN m.part AS part, m.lessons AS lessons")
    return {row["part"]: row["lessons"] for row in rows}


async def test_a_restart_forgets_nothing(graph: Graph, db: Database) -> None:
    run(db, "one", ended=True)
    scorer = taught()
    store = ModelStore(graph, "one", [scorer])
    assert await store.begin() == ()
    await store.finish()
    again = Quality()
    assert await ModelStore(graph, "two", [again]).begin() == ()
    assert again.observations == 20
    assert again.predict(GOOD) == scorer.predict(GOOD)
    assert_tells_good_from_bad(again)
    assert parts(db) == {"past": 20}


async def test_workers_share_what_they_learn_and_writing_twice_changes_nothing(
    graph: Graph, db: Database
) -> None:
    clock = Clock()
    one, two = Quality(), Quality()
    stores = [
        ModelStore(graph, name, [scorer], clock=clock) for name, scorer in (("1", one), ("2", two))
    ]
    for store, name in zip(stores, "12", strict=True):
        run(db, name, ended=False)
        await store.begin()
    for _ in range(6):
        one.learn(GOOD, 1.0)
        two.learn(BAD, 0.0)
    for _ in range(3):
        clock.now += 6.0
        for store in stores:
            await store.keep_up()
    assert one.observations == two.observations == 12
    assert one.predict(BAD).value == pytest.approx(two.predict(BAD).value, abs=0.2)
    for scorer in (one, two):
        assert_tells_good_from_bad(scorer)
    assert parts(db) == {"1": 6, "2": 6}
    (seq,) = {row["seq"] for row in db.run("MATCH (m:Model) RETURN m.seq AS seq")}
    assert seq == 1  # nothing new was learned after the first writing


async def test_nothing_is_written_before_it_is_due(graph: Graph, db: Database) -> None:
    clock = Clock()
    scorer = Quality()
    store = ModelStore(graph, "1", [scorer], clock=clock)
    await store.begin()
    for _ in range(499):
        scorer.learn(GOOD, 1.0)
    await store.keep_up()
    assert parts(db) == {}
    scorer.learn(GOOD, 1.0)
    await store.keep_up()  # 500 lessons
    assert parts(db) == {"1": 500}
    scorer.learn(GOOD, 1.0)
    await store.keep_up()
    assert parts(db) == {"1": 500}
    clock.now += 2.0
    await store.keep_up()
    assert parts(db) == {"1": 501}


async def test_parts_of_runs_that_go_on_stay_apart(graph: Graph, db: Database) -> None:
    for name, ended in (("1", True), ("2", False), ("3", True)):
        run(db, name, ended=ended)
        store = ModelStore(graph, name, [taught(10)])
        await store.finish()
    late = Quality()
    await ModelStore(graph, "4", [late]).begin()
    assert parts(db) == {"2": 10, "past": 20}
    assert late.observations == 30
    await ModelStore(graph, "5", [Quality()]).begin()
    assert parts(db) == {"2": 10, "past": 20}


async def test_one_taken_for_dead_does_not_count_twice(graph: Graph, db: Database) -> None:
    clock = Clock()
    scorer = taught(10)
    run(db, "1", ended=False)
    store = ModelStore(graph, "1", [scorer], clock=clock)
    await store.finish()
    db.run("MATCH (m:Model {part: '1'}) SET m.updatedAt = datetime() - duration('P2D')")
    await ModelStore(graph, "2", [Quality()]).begin()
    assert parts(db) == {"past": 10}
    scorer.learn(GOOD, 1.0)
    clock.now += 3.0
    await store.keep_up()
    await store.finish()
    assert parts(db) == {"past": 10}


@pytest.mark.parametrize("damage", ["data", "version"])
async def test_what_cannot_be_used_is_put_aside_with_a_warning(
    graph: Graph, db: Database, damage: str
) -> None:
    run(db, "1", ended=False)
    run(db, "2", ended=False)
    for name in "12":
        await ModelStore(graph, name, [taught(10)]).finish()
    if damage == "data":
        db.run("MATCH (m:Model {part: '1'}) SET m.data = $data", data=b"nonsense")
    else:
        db.run("MATCH (m:Model {part: '1'}) SET m.version = 99")
    scorer = Quality()
    (warning,) = await ModelStore(graph, "3", [scorer]).begin()
    assert "put aside" in warning
    assert scorer.observations == 10
    assert (await read_model(graph, Quality())) == (warning,)
    db.run("MATCH (c:Crawl) SET c.finishedAt = datetime()")
    await ModelStore(graph, "4", [Quality()]).begin()  # of ended runs, only what a newer version
    kept = {"past": 10} if damage == "data" else {"1": 10, "past": 10}  # can read is kept
    assert parts(db) == kept


async def test_a_link_is_scored_by_what_was_learned_and_its_parent(
    graph: Graph, db: Database
) -> None:
    """(1 − 0.3)·prediction + 0.3·(1 − 1/e): the parent earned 10 points beside its seed's."""
    await ModelStore(graph, "1", [taught()]).finish()
    db.run(
        "CREATE (:PageNeuron:Fetched {url: 'http://a.example/', depth: 2, "
        "grants: ['100 seed seed', '10 job text', '40 feed-new http://f.example/']})"
    )
    before = db.everything()
    found = await foretell(GOOD.url, Settings(), graph=graph, parent_url="http://a.example/")
    assert found.parent is not None
    assert found.parent.worth == pytest.approx(0.6321, abs=1e-4)
    assert found.candidate.depth == 3
    raw = found.prediction.raw
    assert raw > 0.7
    assert found.prediction.value == pytest.approx(0.7 * raw + 0.3 * 0.6321, abs=1e-4)
    total = math.fsum(share.part for share in found.shares)
    assert 1 / (1 + math.exp(-total)) == pytest.approx(raw, abs=1e-9)
    db.run("MATCH (p:PageNeuron) SET p.worth = 0.25")
    again = await foretell(GOOD.url, Settings(), graph=graph, parent_url="http://a.example/")
    assert again.candidate.parent_best == 0.25
    db.run("MATCH (p:PageNeuron) REMOVE p.worth")
    assert db.everything() == before


async def test_what_was_learned_is_told_with_words_of_the_graph(graph: Graph, db: Database) -> None:
    await ModelStore(graph, "1", [taught()]).finish()
    db.run(
        "CREATE (:PageNeuron:Fetched {url: 'http://h.example/'})"
        "-[:LINK_AXON {anchor: 'blog'}]->(:PageNeuron {url: 'http://b.example/blog/bad.php'})"
    )
    found = await learned(graph, QualitySettings(), top=40)
    assert (found.stats.observations, found.prediction_standing) == (20, "trusted")
    assert found.stats.average_quality == pytest.approx(0.5)
    weights = dict(found.top)
    assert weights["url blog"] == weights["url bad"] < 0
    assert weights["url has docs"] > 0
    assert [row["lessons"] for row in found.parts] == [20]
