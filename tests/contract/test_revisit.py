"""Job feeds are read again when they are due, at an interval that each of them teaches."""

from datetime import UTC, datetime
from typing import Any

import pytest
from outcomes import failed, given_back, link, page_of
from worlds import Neo4jWorld

from graphcrawl.frontier import Frontier, Seed
from graphcrawl.models import Claim, Reason
from graphcrawl.revisit import FIRST_S, LONGEST_S, SHORTEST_S, RevisitReport, revisit_feeds

SEED, FEED = "http://a.example/", "http://f.example/jobs.xml"


class Feed:
    """A job feed that was found and read once."""

    def __init__(self, world: Neo4jWorld, frontier: Frontier) -> None:
        self.world, self.frontier = world, frontier

    async def claim(self) -> Claim:
        [claim] = await self.frontier.claim(pages=8, per_host=1, lease_s=60)
        return claim

    async def read(self, digest: str) -> None:
        claim = await self.claim()
        assert claim.url == FEED
        outcome = page_of(claim, self.world.clock, feed=digest)
        await self.frontier.record([outcome], given_back([claim]))

    async def revisit(self, **options: Any) -> RevisitReport:
        return await revisit_feeds(self.world.graph, now_ms=self.world.clock.ms, **options)

    async def neuron(self) -> dict[str, Any]:
        return (await self.world.pages())[FEED]

    async def interval_s(self) -> float:
        return float((await self.neuron())["visitIntervalS"])


@pytest.fixture
async def feed(neo4j_world: Neo4jWorld) -> Feed:
    frontier = neo4j_world.frontier("w")
    found = Feed(neo4j_world, frontier)
    await frontier.seed([Seed(SEED, "a.example")])
    claim = await found.claim()
    outcome = page_of(claim, neo4j_world.clock, [link(FEED)])
    await frontier.record([outcome], given_back([claim]))
    await found.read("first")
    return found


async def test_a_feed_waits_again_when_it_is_due_and_not_before(feed: Feed) -> None:
    assert await feed.revisit() == RevisitReport(learned=1, changed=1)
    feed.world.clock.pass_s(FIRST_S - 1)
    assert await feed.revisit() == RevisitReport()
    feed.world.clock.pass_s(1)
    assert await feed.revisit() == RevisitReport(due=1)
    neuron = await feed.neuron()
    assert neuron["labels"] == {"PageNeuron", "JobFeed", "Fetched", "Frontier"}
    assert neuron["priority"] == neuron["reward"] + 100
    assert await feed.revisit() == RevisitReport()  # it waits already
    assert (await feed.claim()).url == FEED
    assert await feed.revisit() == RevisitReport()  # a worker holds it


async def test_all_feeds_can_be_read_now(feed: Feed) -> None:
    await feed.revisit()
    assert await feed.revisit(all_now=True) == RevisitReport(due=1)
    await feed.read("second")


async def test_the_interval_follows_what_the_feed_does(feed: Feed) -> None:
    """3600 s, then halved at each change and half as long again without one."""
    intervals = []
    for digest in ("second", "third", "third", "third", "fourth"):
        await feed.revisit()
        feed.world.clock.pass_s(LONGEST_S)
        await feed.revisit()
        await feed.read(digest)
        await feed.revisit()
        intervals.append(await feed.interval_s())
    assert intervals == [1800, 900, 1350, 2025, 1012.5]


async def test_the_interval_has_bounds(feed: Feed) -> None:
    async def read(digest: str) -> float:
        feed.world.clock.pass_s(LONGEST_S)
        await feed.revisit()
        await feed.read(digest)
        await feed.revisit()
        return await feed.interval_s()

    await feed.revisit()
    assert [await read(f"new {i}") for i in range(4)][-1] == SHORTEST_S
    assert [await read("new 3") for _ in range(13)][-1] == LONGEST_S


async def test_jobs_tell_a_change_better_than_bytes(feed: Feed) -> None:
    """A feed that states the time of its making changes at each reading, its jobs do not."""
    await feed.world.ask(
        "MATCH (f {url: $url}) CREATE (f)-[:LISTS]->(:Job {key: 'j', firstSeenAt: f.fetchedAt})",
        url=FEED,
    )
    await feed.revisit()
    for change, interval_s in ((False, 5400), (True, 2700)):
        feed.world.clock.pass_s(LONGEST_S)
        await feed.revisit()
        await feed.read(f"bytes {interval_s}")
        await feed.world.ask(
            "MATCH (f {url: $url}) SET f.readAt = f.fetchedAt, f.readNew = 0, f.readChanged = 0,"
            " f.readGone = $gone",
            url=FEED,
            gone=int(change),
        )
        await feed.revisit()
        assert await feed.interval_s() == interval_s


async def test_a_visit_that_fails_keeps_the_feed_and_is_repeated_later(feed: Feed) -> None:
    await feed.revisit()
    feed.world.clock.pass_s(FIRST_S)
    await feed.revisit()
    claim = await feed.claim()
    gone = failed(claim, feed.world.clock, Reason.HTTP_CLIENT, status=404)
    await feed.frontier.record([gone], given_back([claim]))
    assert await feed.revisit() == RevisitReport()  # not at once
    neuron = await feed.neuron()
    assert neuron["labels"] == {"PageNeuron", "JobFeed", "Fetched"}
    assert neuron["error"].startswith("http-4xx")
    feed.world.clock.pass_s(FIRST_S)
    assert await feed.revisit() == RevisitReport(due=1)
    assert await feed.interval_s() == 1.5 * FIRST_S
    await feed.read("second")
    await feed.revisit()
    assert await feed.interval_s() == 0.75 * FIRST_S


async def test_a_feed_that_the_crawl_may_not_fetch_is_left_alone(feed: Feed) -> None:
    assert await feed.revisit(admits=lambda url, depth: url != FEED) == RevisitReport()
    assert "visitIntervalS" not in await feed.neuron()


async def test_a_feed_that_was_read_before_intervals_were_kept_is_due(feed: Feed) -> None:
    feed.world.clock.pass_s(2 * LONGEST_S)
    assert await feed.revisit() == RevisitReport(learned=1, changed=1, due=1)
    due = (await feed.neuron())["nextVisitAt"]
    assert due > datetime.fromtimestamp(feed.world.clock.ms / 1000, UTC)
