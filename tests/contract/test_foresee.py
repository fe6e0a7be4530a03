"""What `plan` foretells on a real Neo4j is what claims then hand out."""

import math
from datetime import timedelta

import pytest
from outcomes import given_back, link, moved, page_of
from worlds import Neo4jWorld

from graphcrawl.config import CrawlSettings, Settings
from graphcrawl.crawled import crawled_web
from graphcrawl.errors import UsageError
from graphcrawl.foresee import by_host, foresee
from graphcrawl.frontier import Seed
from graphcrawl.parse.hints import feed_hint
from graphcrawl.simulate import CRAWLED, simulate

SETTINGS = Settings(crawl=CrawlSettings(delay=2.0, concurrency=1, slow_factor=0.0))
LATENCY_S = 0.5


async def waiting(world: Neo4jWorld) -> None:
    """Let 40 pages of one host and a few of three others wait; one host is not due yet."""
    frontier = world.frontier("w")
    seeds = [Seed(f"http://a.example/{n}", "a.example", 50.0 + n) for n in range(40)]
    seeds += [Seed(f"http://b.example/{n}", "b.example", 200.0 - 90 * n) for n in range(3)]
    seeds += [Seed("http://c.example/", "c.example", 500.0), Seed("http://d.example/", "d.example")]
    await frontier.seed(seeds)
    later = world.clock.now + timedelta(seconds=5)
    await world.ask("MATCH (h:Host {name: 'c.example'}) SET h.nextFetchAt = $at", at=later)
    await world.ask("MATCH (h:Host) SET h.latencyS = $latency", latency=LATENCY_S)


async def test_the_plan_is_what_claims_hand_out(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    await waiting(world)
    before = await world.pages(), await world.hosts()
    plan = await foresee(world.graph, SETTINGS, 30, now=world.clock.now)
    assert (await world.pages(), await world.hosts()) == before, "nothing is written"
    assert len(plan.pages) == 30
    assert plan.hosts == 4
    assert not plan.is_all
    frontier, begin_ms = world.frontier("w"), world.clock.ms
    for planned in plan.pages:
        world.clock.ms = begin_ms + round(planned.start_s * 1000)
        (claim,) = await frontier.claim(pages=1, per_host=1, lease_s=60)
        assert claim.url == planned.url
        world.clock.pass_s(LATENCY_S)
        await frontier.record([page_of(claim, world.clock)], given_back([claim], pause_s=2.0))


async def test_all_there_is_and_limits_of_hosts(neo4j_world: Neo4jWorld) -> None:
    await waiting(neo4j_world)
    graph, now = neo4j_world.graph, neo4j_world.clock.now
    plan = await foresee(graph, SETTINGS, 100, now=now)
    assert (len(plan.pages), plan.is_all) == (45, True)
    assert plan.duration_s == pytest.approx(40 * LATENCY_S + 39 * 2.0, abs=2 * LATENCY_S + 2)
    limited = SETTINGS.crawl.model_copy(update={"max_pages_per_host": 2})
    plan = await foresee(graph, SETTINGS.model_copy(update={"crawl": limited}), 100, now=now)
    assert len(plan.pages) == 6
    with pytest.raises(UsageError):
        await foresee(graph, SETTINGS, 0)


def test_worth_is_foretold_by_the_record_of_the_host() -> None:
    judge = by_host(
        [{"host": "a", "pages": 4, "worth": 4.0}, {"host": "b", "pages": 4, "worth": 0}]
    )
    rows = [{"host": "a"}, {"host": "b"}, {"host": "c"}, {"host": "b", "feedHint": 0.9}]
    assert list(judge(rows)) == [0.75, 0.25, 0.5, 0.9]


async def test_what_was_crawled_can_be_crawled_again_in_memory(neo4j_world: Neo4jWorld) -> None:
    """Replayed by the order that it was crawled by, it comes in the same sequence."""
    world, home = neo4j_world, "http://a.example/"
    frontier = world.frontier("w")
    await frontier.seed([Seed(home, "a.example")])
    links = {
        home: ["feed.xml?jobs", "poor", "good"],
        home + "good": ["deep", "old"],
        home + "deep": ["poor"],
    }
    crawled = []
    for _ in range(6):
        (claim,) = await frontier.claim(pages=1, per_host=1, lease_s=60)
        crawled.append(claim.url)
        there = [
            link(home + name, weight=0.5 if name in ("poor", "old") else 1.0, feed_hint=hint)
            for name in links.get(claim.url, [])
            for hint in [feed_hint(home + name, "")]
        ]
        points = 40.0 if claim.url == home + "good" else 0.0
        outcome = page_of(claim, world.clock, there, points=points)
        if claim.url == home + "old":
            outcome = moved(claim, world.clock, home + "good")
        await frontier.record([outcome], given_back([claim]))
        world.clock.pass_s(10)
    before = await world.pages(), await world.axons()
    web = await crawled_web(world.graph)
    assert web.urls == crawled
    assert [web.found[n].worth for n in range(6)] == pytest.approx(
        [1 - math.exp(-4) if url == home + "good" else 0.0 for url in crawled]
    )
    harvests = {h.order: h for h in simulate(web, ("reward",), SETTINGS)}
    assert harvests["reward"].curve == harvests[CRAWLED].curve
    assert (await world.pages(), await world.axons()) == before, "nothing is written"
