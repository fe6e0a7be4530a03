"""Several workers of one graph: words that all hear, duties of one, budgets of all, the dead."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from worlds import BEGIN_MS, Neo4jWorld, World, state

from graphcrawl import control, look
from graphcrawl.config import Settings, TopicSettings
from graphcrawl.crawl.examples import MAX_KEPT_CHARS, keep_examples, kept_examples
from graphcrawl.crawl.joining import joined
from graphcrawl.crawl.noting import note_start
from graphcrawl.crawl.part import Part
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.errors import UsageError
from graphcrawl.frontier import Seed
from graphcrawl.graph import Graph
from graphcrawl.limits import Cause
from graphcrawl.scoring.reward import load_rules
from graphcrawl.scoring.topic import Example


async def begin(graph: Graph, name: str, at_ms: int | None = None, **more: Any) -> None:
    settings, digest = more.pop("settings", "{}"), more.pop("rulesDigest", "x")
    more |= {"settings": settings, "rulesDigest": digest, "nowMs": at_ms}
    await graph.run("write/start_crawl", id=name, **more)


async def beat(graph: Graph, name: str, at_ms: int | None = None, **more: Any) -> dict[str, Any]:
    told = {"cause": Cause.SERVERS, "phrase": "the servers", "worker": name, "nowMs": at_ms}
    return (await graph.run("write/beat", id=name, **told, **more))[0]


async def test_a_lease_that_has_ended_is_lost_even_if_nobody_took_the_page(world: World) -> None:
    """Its host may be another's by then: an owner that slept must not go on."""
    first, second = world.frontier("first"), world.frontier("second")
    pages = [Seed(f"http://a.example/{n}", "a.example", 10.0 - n) for n in range(2)]
    await first.seed(pages)
    (claim,) = await first.claim(pages=1, per_host=1, lease_s=60)
    world.clock.pass_s(61)
    (other,) = await second.claim(pages=1, per_host=1, lease_s=60)  # nobody has reaped yet
    assert (other.host, other.url) == (claim.host, "http://a.example/1")
    assert other.token > claim.token
    assert await first.renew([claim], 60) == [claim]
    assert (await world.hosts())["a.example"]["leasedBy"] == "second"
    world.clock.pass_s(1)
    assert await second.reap() == 1
    assert state((await world.pages())[claim.url]) == "Frontier"
    assert await second.renew([other], 60) == []


async def test_a_word_is_heard_by_all_that_have_begun_and_by_no_later_one(graph: Graph) -> None:
    for name in ("a", "b"):
        await begin(graph, name)
        assert (await beat(graph, name))["paused"] is False
    assert await control.pause(graph) == control.Heard(2, already=False)
    assert await control.pause(graph) == control.Heard(2, already=True)
    assert [(await beat(graph, name))["paused"] for name in ("a", "b")] == [True, True]
    status = await look.status(graph)
    assert status.paused_at is not None
    assert abs(datetime.now(UTC) - status.paused_at) < timedelta(minutes=1)
    assert status.limit.cause is Cause.PAUSED
    assert status.limit.sentence.endswith("2 workers waiting.")
    assert status.limit.remedy == "graphcrawl resume"
    assert await control.resume(graph) == control.Heard(2, already=False)
    assert await control.resume(graph) == control.Heard(2, already=True)
    await control.pause(graph)
    assert (await control.stop(graph)).workers == 2
    heard = await beat(graph, "a")
    assert (heard["stopped"], heard["breaksOff"], heard["paused"]) == (True, False, False)
    await control.stop(graph, break_off=True)
    assert (await beat(graph, "b"))["breaksOff"] is True
    assert await control.ended(graph, 0.0) == 2
    await asyncio.sleep(0.01)
    await begin(graph, "later")
    assert (await beat(graph, "later"))["stopped"] is False
    for name in ("a", "b"):
        await graph.run("write/finish_crawl", id=name, stopReason="stopped")
    assert await control.ended(graph, 0.0) == 0
    assert (await look.status(graph)).paused_at is None


async def test_one_worker_at_a_time_is_in_charge_and_another_takes_over(graph: Graph) -> None:
    await graph.run("control/duties", duties=["lead", "prune"])
    workers = [f"w{n}" for n in range(8)]
    for name in workers:
        await begin(graph, name, BEGIN_MS)
    heard = await asyncio.gather(*(beat(graph, w, BEGIN_MS, duties=["lead"]) for w in workers))
    (first,) = [w for w, row in zip(workers, heard, strict=True) if row["duties"] == ["lead"]]
    second = next(w for w in workers if w != first)
    both = ["lead", "prune"]
    assert (await beat(graph, second, BEGIN_MS + 4_000, duties=both))["duties"] == ["prune"]
    assert (await beat(graph, first, BEGIN_MS + 4_000, duties=["lead"]))["duties"] == ["lead"]
    # The first falls silent: 5 s after its last word the second has both.
    assert (await beat(graph, second, BEGIN_MS + 8_900, duties=both))["duties"] == ["prune"]
    after = await beat(graph, second, BEGIN_MS + 9_000, duties=both)
    assert sorted(after["duties"]) == both
    assert (await beat(graph, first, BEGIN_MS + 9_100, duties=["lead"]))["duties"] == []
    await graph.run("control/resign", worker=second, duties=both)
    assert (await beat(graph, first, BEGIN_MS + 9_200, duties=["lead"]))["duties"] == ["lead"]


async def test_workers_never_take_more_pages_than_their_crawl_may_ask_for(graph: Graph) -> None:
    parts = [Part(of="crawl", crawl_id=name) for name in ("crawl", "b", "c", "d")]
    for part in parts:
        own = {"maxPages": 1000} if part.crawl_id == "crawl" else {"partOf": "crawl"}
        await begin(graph, part.crawl_id, **own)
    budgets = [part.budget(graph, 1000) for part in parts]

    async def spend(number: int) -> int:
        used = 0
        while room := await budgets[number].left(used, 1 + number):
            used += room
        return used

    used = await asyncio.gather(*(spend(number) for number in range(4)))
    assert sum(used) == 1000
    assert min(used) > 0
    # One that died had taken 7 and recorded 3; what is left of that, another may ask for.
    await begin(graph, "crawl2", maxPages=10)
    await begin(graph, "dead", partOf="crawl2")
    assert await Part(of="crawl2", crawl_id="dead").budget(graph, 10).left(0, 7) == 7
    await graph.run("write/count", id="dead", counters={"fetched": 2, "failed": 1})
    await graph.run("control/return_pages", of="crawl2", id="dead")
    await graph.run("control/return_pages", of="crawl2", id="dead")  # twice: only once
    assert await Part(of="crawl2", crawl_id="crawl2").budget(graph, 10).left(0, 99) == 7


async def test_pages_of_all_workers_count_until_the_next_distribution(graph: Graph) -> None:
    for name, fetched in (("a", 3), ("b", 4), ("c", 0)):
        await begin(graph, name)
        await graph.run("write/count", id=name, counters={"fetched": fetched, "failed": 1})
    assert [(await beat(graph, name))["pagesOfOthers"] for name in "abc"] == [4, 3, 7]


async def test_one_worker_asks_for_an_origins_file_however_many_want_it(graph: Graph) -> None:
    for what in ("frontier/robots_claim", "frontier/tdm_claim"):
        wish = {"origin": "http://a.example:80", "asOf": datetime.now(UTC), "claimS": 60}
        await graph.run(what, worker="old", **wish | {"claimS": 0})
        asked = await asyncio.gather(*(graph.run(what, worker=f"w{n}", **wish) for n in range(8)))
        assert sum(map(len, asked)) == 1, what


async def test_those_who_join_take_a_topics_texts_from_the_graph(graph: Graph) -> None:
    """Its files are on another machine, and its pages are fetched by the crawl alone."""
    names = ("https://a.example/nurse", "ex/nurse.txt")
    topic = Settings(topic=TopicSettings(examples=names))
    assert await kept_examples(graph, Settings()) is None
    assert await kept_examples(graph, topic) is None
    texts = [Example("nurses care for people", "en"), Example("n" * MAX_KEPT_CHARS)]
    await keep_examples(graph, topic, texts)
    found = await kept_examples(graph, topic)
    assert found is not None
    assert found.urls == ()
    assert found.texts == (texts[0], Example("n" * (MAX_KEPT_CHARS // 2)))
    other = Settings(topic=TopicSettings(examples=names[:1]))
    assert await kept_examples(graph, other) is None
    rules = load_rules("jobs")
    await note_start(graph, Part("one"), topic, rules.digest, "neural", RunOrder("bfs", None))
    assert (await joined(graph, Settings())).examples == found
    await graph.run("forget/note", key="hash")  # one of them may be what is to be forgotten
    assert await kept_examples(graph, topic) is None


async def test_what_a_dead_worker_held_comes_back_at_once(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    dead, other = world.frontier("dead"), world.frontier("other")
    hosts = [Seed(f"http://h{n}.example/", f"h{n}.example", 10.0) for n in range(4)]
    await dead.seed(hosts)
    await begin(world.graph, "run", BEGIN_MS)
    held = await dead.claim(pages=2, per_host=1, lease_s=60)
    kept = await other.claim(pages=2, per_host=1, lease_s=60)
    now = {"nowMs": world.clock.ms}
    rows = await world.graph.run(
        "control/bury", worker="dead", id="run", duties=["lead", "prune"], **now
    )
    assert rows[0]["pages"] == 2
    assert await other.reap() == 2
    assert await other.claim(pages=9, per_host=1, lease_s=60) == []  # its hosts rest a delay first
    world.clock.pass_s(1.1)
    again = await other.claim(pages=9, per_host=1, lease_s=60)
    assert {c.url for c in again} == {c.url for c in held}
    pages = await world.pages()
    assert all(pages[c.url]["leasedBy"] == "other" for c in kept)
    assert await dead.renew(held, 60) == held  # it was only taken for dead: too late


async def test_a_worker_goes_by_what_the_graphs_crawl_goes_by(graph: Graph) -> None:
    own = Settings(graph="test", crawl={"concurrency": 3, "delay": 9.0})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="Nobody has crawled"):
        await joined(graph, own)
    rules = load_rules("jobs")
    made: dict[str, Any] = {
        "contact": "me@a.example",
        "order": {"by": "bfs", "keywords": {"nurse": 2.0}},
        "hosts": {"a.example": {"delay": 3.0}},
        "crawl": {
            "scope": "any",
            "delay": 0.25,
            "max_depth": 4,
            "concurrency": 64,
            "exclude": ["x"],
        },
    }
    order = RunOrder("bfs", None, words={"nurse": 2.0, "work": 1.0})
    await note_start(graph, Part("one"), Settings(**made), rules.digest, "neural", order)
    found = (await joined(graph, own)).settings
    assert (found.crawl.scope, found.crawl.delay, found.crawl.max_depth) == ("any", 0.25, 4)
    assert (found.order.by, found.order.keywords) == ("bfs", {"nurse": 2.0})
    assert (found.hosts["a.example"].delay, found.contact) == (3.0, "me@a.example")
    assert found.crawl.concurrency == 3  # this worker's own
    with pytest.raises(UsageError, match="sends the header X-Key"):
        secret = Settings(**made | {"crawl": {"headers": ["X-Key: 1"]}})
        await note_start(graph, Part("two"), secret, rules.digest, "neural", order)
        await joined(graph, own)
    with pytest.raises(UsageError, match="rules 'jobs' here"):
        await note_start(graph, Part("three"), Settings(**made), "other", "neural", order)
        await joined(graph, own)
    with pytest.raises(UsageError, match="by a function of a program"):
        made_by = Settings(**made)
        await note_start(graph, Part("5"), made_by, rules.digest, "neural", order, judges=True)
        await joined(graph, own)
    with pytest.raises(UsageError, match="another version's"):
        await begin(graph, "four", settings=json.dumps({"crawl": {}}))
        await joined(graph, own)
