"""Long readings: written a batch at a time, broken off, empty, refused in part, begun anew."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from outcomes import given_back, page_of
from test_revisit import FEED, Feed, feed  # noqa: F401 - the fixture
from worlds import Neo4jWorld, World

from graphcrawl import look
from graphcrawl.crawl.listings import Listings
from graphcrawl.frontier import Seed
from graphcrawl.job_readings import READING_LEASE_S, Listing, hold, let_go, write_listing
from graphcrawl.job_rows import JobsReport
from graphcrawl.models import Fetched, Outcome, Page, Posting, Reading
from graphcrawl.revisit import RevisitReport

WHOLE = Reading(of_feed=True)


def jobs(first: int, last: int, title: str = "Job") -> list[Posting]:
    return [
        Posting(title=f"{title} {n}", own_id=str(n), url=f"{FEED}?{n}") for n in range(first, last)
    ]


async def batches(*postings: Sequence[Posting]) -> AsyncIterator[Sequence[Posting]]:
    for batch in postings:
        yield batch


async def write(
    found: Feed, *postings: Sequence[Posting], reading: Reading = WHOLE, **more: Any
) -> tuple[JobsReport, Reading]:
    """Write a reading that is an hour later than the last one."""
    found.world.clock.pass_s(3600)
    listing = Listing(FEED, "first", found.world.clock.now)
    return await write_listing(
        found.world.graph, listing, batches(*postings), lambda: reading, **more
    )


async def live(found: Feed) -> int:
    rows = await found.world.ask("MATCH (j:Job) WHERE j.goneAt IS NULL RETURN count(j) AS jobs")
    return int(rows[0]["jobs"])


async def test_a_whole_reading_marks_gone_and_one_broken_off_does_not(feed: Feed) -> None:  # noqa: F811
    seen: list[int] = []
    report, _ = await write(
        feed, jobs(0, 3), jobs(3, 5), on_batch=lambda report: seen.append(report.listed)
    )
    assert (report, seen) == (JobsReport(listed=5, new=5), [3, 5])

    report, reading = await write(feed, jobs(1, 3), jobs(3, 9), is_stopping=lambda: True)
    assert (report.listed, report.gone) == (2, 0)
    assert (reading.whole, reading.ended) == (False, "stopped")
    assert await live(feed) == 5
    page = await feed.neuron()
    assert (page["readWhole"], page["readEnded"], page["readJobs"]) == (False, "stopped", 2)

    report, _ = await write(feed, jobs(1, 3), jobs(3, 9))
    assert report == JobsReport(listed=8, new=4, gone=1)
    page = await feed.neuron()
    assert (page["readWhole"], "readEnded" in page, page["readJobs"]) == (True, False, 8)


async def test_an_empty_feed_is_believed_the_second_time(feed: Feed) -> None:  # noqa: F811
    await write(feed, jobs(0, 4))
    assert (await write(feed))[0].gone == 0
    assert (await feed.neuron())["readEnded"] == "empty"
    [row] = await look.feeds(feed.world.graph)
    assert (row.jobs, await live(feed)) == (4, 4)
    await write(feed, jobs(0, 4))  # it was a fault of the export
    await write(feed)
    report, _ = await write(feed)
    assert (report.gone, await live(feed)) == (4, 0)
    page = await feed.neuron()
    assert (page["readWhole"], "readEnded" in page) == (True, False)


async def test_what_neo4j_cannot_store_costs_itself_and_is_counted(feed: Feed) -> None:  # noqa: F811
    await write(feed, jobs(0, 4))
    bad = Posting(title="\ud800", own_id="9")
    report, reading = await write(feed, [*jobs(1, 3), bad, *jobs(3, 4)])
    assert (report.listed, report.gone) == (3, 0)
    assert (reading.whole, reading.cut, reading.ended) == (False, 1, "refused")
    assert await live(feed) == 4


async def test_a_reading_that_goes_on_is_not_begun_again_and_one_that_died_is(feed: Feed) -> None:  # noqa: F811
    graph, clock = feed.world.graph, feed.world.clock
    await hold(graph, [FEED], now_ms=clock())
    assert await feed.revisit(all_now=True) == RevisitReport()  # nothing to learn from yet
    clock.pass_s(READING_LEASE_S)
    assert await feed.revisit() == RevisitReport(due=1)
    page = await feed.neuron()
    assert "readingUntil" not in page  # should the visit fail: at its usual time
    assert (page["nextVisitAt"] - clock.now).total_seconds() == 3600

    await feed.read("second")
    await hold(graph, [FEED], now_ms=clock())
    await let_go(graph, FEED, is_done=True)
    assert (await feed.revisit()).learned == 1
    await let_go(graph, FEED, is_done=False, now_ms=clock())  # stopped by a signal
    assert (await feed.revisit()).due == 1


async def test_a_crawl_waits_for_a_reading_that_may_have_died_with_its_run(feed: Feed) -> None:  # noqa: F811
    graph, clock = feed.world.graph, feed.world.clock
    ours, others = Listings(graph), Listings(graph, lambda url, depth: url != FEED)
    assert not await ours.left_by_others()
    await hold(graph, [FEED], now_ms=clock())
    assert await ours.left_by_others()
    assert not await others.left_by_others()  # they may not fetch it
    clock.pass_s(READING_LEASE_S)
    assert await ours.left_by_others()  # until it waits in the frontier
    await feed.revisit()
    assert not await ours.left_by_others()

    await feed.read("second")
    await hold(graph, [FEED], now_ms=clock())
    ours = Listings(graph)
    assert await ours.left_by_others()
    clock.pass_s(READING_LEASE_S / 3)
    await hold(graph, [FEED], now_ms=clock())  # it lives
    assert not await ours.left_by_others()


async def test_feeds_tell_whether_a_reading_goes_on_or_was_broken_off(feed: Feed) -> None:  # noqa: F811
    graph, ended = feed.world.graph, []
    for now_ms in (None, 0):
        await hold(graph, [FEED], now_ms=now_ms)
        ended += [row.ended for row in await look.feeds(graph)]
    await let_go(graph, FEED, is_done=True)
    assert [*ended, (await look.feeds(graph))[0].ended] == ["reading", "stopped", None]


@pytest.mark.parametrize("reading", [None, Reading()])
async def test_a_feed_that_is_none_this_time_says_so(world: World, reading: Reading | None) -> None:
    frontier = world.frontier("w")
    await frontier.seed([Seed(FEED, "f.example")])
    [claim] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    await frontier.record([page_of(claim, world.clock, feed="d")], given_back([claim]))
    for again, is_noted in (
        (Page(reading=reading), True),
        (Page(reading=Reading(of_feed=True)), False),
    ):
        if isinstance(world, Neo4jWorld):
            await world.ask("MATCH (p:JobFeed) SET p:Frontier, p.tries = 1, p.priority = 1.0")
            await frontier.refresh_hosts()
        else:
            page = world.graph.neurons[FEED]
            page["labels"].add("Frontier")
            page |= {"tries": 1, "priority": 1.0}
        world.clock.pass_s(60)
        [claim] = await frontier.claim(pages=1, per_host=1, lease_s=60)
        fetched = Fetched(FEED, 200, b"", "text/html", "", world.clock.now, 0.1)
        await frontier.record([Outcome(claim, fetched, again)], given_back([claim]))
        page = (await world.pages())[FEED]
        assert ("error" in page) is is_noted
        assert not is_noted or page["error"].startswith("feed: what came this time is no job feed")
        assert "JobFeed" in page["labels"]
