"""Readings of feeds and pages become (:Job) nodes: what is new, changed, gone, and what is not."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from outcomes import failed, given_back, moved
from worlds import Neo4jWorld, Node

from graphcrawl import joblist, look, queries
from graphcrawl.frontier import Seed
from graphcrawl.job_rows import JOBS_AT_ONCE, JobsReport, write_reading
from graphcrawl.jobs.pages import read_jobs
from graphcrawl.models import Claim, Fetched, Outcome, Page, Posting, Reading, Reason
from graphcrawl.parse import parse
from graphcrawl.revisit import PAGE_SHORTEST_S, revisit_feeds

FEED = "http://board.example/jobs.xml"
PAGE = "http://firm.example/job/7"


def xml(*jobs: tuple[str, str], end: str = "</source>") -> str:
    records = (
        f"<job><title>{title}</title><referencenumber>{number}</referencenumber>"
        f"<company>Acme</company><city>Graz</city><date>2026-03-01</date>"
        f"<url>http://board.example/{number}</url></job>"
        for number, title in jobs
    )
    return f"<source><publisher>Board</publisher>{''.join(records)}{end}"


def read(claim: Claim, body: str, at: datetime, media_type: str = "application/xml") -> Outcome:
    """Read a body as the readers do."""
    fetched = Fetched(claim.url, 200, body.encode(), media_type, "utf-8", at, 0.1)
    document = parse(fetched)
    jobs = read_jobs(document, fetched)
    page = Page(
        feed=jobs.feed, postings=jobs.postings, reading=jobs.reading, digest=str(hash(body))
    )
    return Outcome(claim, fetched, page)


async def claim_again(world: Neo4jWorld, *urls: str) -> list[Claim]:
    """Let the pages wait once more, whatever they were, and claim them."""
    frontier = world.frontier("w")
    await frontier.seed([Seed(url, url.split("/")[2]) for url in urls])
    await world.ask(
        "MATCH (p:PageNeuron) WHERE p.url IN $urls AND NOT p:Frontier"
        " SET p:Frontier, p.priority = 1.0",
        urls=list(urls),
    )
    await frontier.refresh_hosts()
    claims = {c.url: c for c in await frontier.claim(pages=9, per_host=9, lease_s=60)}
    return [claims[url] for url in urls]


async def visit(
    world: Neo4jWorld, url: str, body: str, media_type: str = "application/xml"
) -> JobsReport:
    """Read a page once more, an hour after the last visit."""
    world.clock.pass_s(3600)
    [claim] = await claim_again(world, url)
    outcome = read(claim, body, world.clock.now, media_type)
    return (await world.frontier("w").record([outcome], given_back([claim]))).jobs


async def jobs(world: Neo4jWorld) -> dict[str, Node]:
    rows = await world.ask("MATCH (j:Job) RETURN properties(j) AS j")
    return {row["j"].get("ownId", row["j"]["key"]): row["j"] for row in rows}


async def test_two_new_one_changed_one_dropped(neo4j_world: Neo4jWorld) -> None:
    """The two readings of the issue: adds 2, changes 1, drops 1, and one stays as it was."""
    world = neo4j_world
    first = await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse"), ("3", "Smith")))
    at_first = world.clock.now
    assert first == JobsReport(listed=3, new=3)
    second = await visit(
        world, FEED, xml(("1", "Cook"), ("2", "Head nurse"), ("4", "Baker"), ("5", "Driver"))
    )
    now = world.clock.now
    assert second == JobsReport(listed=4, new=2, changed=1, gone=1)
    rows = await jobs(world)
    assert sorted(rows) == ["1", "2", "3", "4", "5"]
    seen = {
        n: (j["firstSeenAt"], j["lastSeenAt"], j.get("changedAt"), j.get("goneAt"))
        for n, j in rows.items()
    }
    assert seen == {
        "1": (at_first, now, None, None),
        "2": (at_first, now, now, None),
        "3": (at_first, at_first, None, now),
        "4": (now, now, None, None),
        "5": (now, now, None, None),
    }
    assert rows["2"]["title"] == "Head nurse"
    assert rows["1"] | {"key": "", "wordedBy": 0} == {
        "key": "",
        "batch": 1,
        "wordedBy": 0,
        "title": "Cook",
        "company": "Acme",
        "place": "Graz",
        "city": "Graz",
        "placeRaw": "Graz",
        "posted": datetime(2026, 3, 1, tzinfo=UTC),
        "postedRaw": "2026-03-01",
        "ownId": "1",
        "url": "http://board.example/1",
        "feed": FEED,
        "firstSeenAt": at_first,
        "lastSeenAt": now,
    }
    [feed] = await world.ask("MATCH (p:JobFeed) RETURN properties(p) AS p")
    noted = {name: value for name, value in feed["p"].items() if name.startswith("read")}
    assert noted == {
        "readAt": now, "readBeforeAt": at_first, "readWhole": True, "readJobs": 4, "readNew": 2,
        "readChanged": 1, "readGone": 1, "readCut": 0, "readRepaired": 0, "readRepeated": 0,
        "readClashes": 0, "readUntitled": 0,
    }  # fmt: skip


async def test_a_job_that_comes_back_is_listed_again(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    assert (await visit(world, FEED, xml(("2", "Nurse")))).gone == 1
    back = await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    assert back == JobsReport(listed=2, changed=1)
    assert "goneAt" not in (await jobs(world))["1"]
    assert (await visit(world, FEED, xml(("2", "Nurse")))).gone == 1  # and may go again


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (xml(("1", "Cook"), end=""), "application/xml"),  # cut between two records
        (xml(("1", "Cook"), end="<job><tit"), "application/xml"),  # cut in a record
        ("<html><title>Maintenance</title><p>We are back soon.</html>", "text/html"),
        ("<error>busy</error>", "application/xml"),
        ("", "application/xml"),
    ],
)
async def test_a_cut_or_failed_reading_marks_nothing_gone(
    neo4j_world: Neo4jWorld, body: str, media_type: str
) -> None:
    world = neo4j_world
    await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    assert (await visit(world, FEED, body, media_type)).gone == 0
    assert not [job for job in (await jobs(world)).values() if "goneAt" in job]


async def test_an_empty_feed_is_believed_the_second_time(neo4j_world: Neo4jWorld) -> None:
    """All at once is more often a fault of its maker than the end of all jobs."""
    world = neo4j_world
    await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    assert (await visit(world, FEED, xml())).gone == 0
    [feed] = await look.feeds(world.graph)
    assert (feed.jobs, feed.gone) == (2, 0)
    assert (await visit(world, FEED, xml())).gone == 2
    [feed] = await look.feeds(world.graph)
    assert (feed.jobs, feed.gone) == (0, 2)


async def test_one_content_under_two_urls_is_one_set_of_jobs(neo4j_world: Neo4jWorld) -> None:
    world, other = neo4j_world, FEED + "?for=partners"
    body = xml(("1", "Cook"), ("2", "Nurse"))
    claims = await claim_again(world, FEED, other)
    frontier = world.frontier("w")
    outcomes = [read(claim, body, world.clock.now) for claim in claims]
    report = await frontier.record(outcomes, given_back(claims))
    assert report.jobs == JobsReport(listed=2, new=2)
    assert await visit(world, other, body) == JobsReport(listed=2)
    assert {job["feed"] for job in (await jobs(world)).values()} == {FEED}


async def test_an_older_reading_that_comes_late_changes_nothing(neo4j_world: Neo4jWorld) -> None:
    """Another worker has read the feed meanwhile."""
    world = neo4j_world
    await visit(world, FEED, xml(("1", "Head cook")))
    before = await jobs(world)
    [claim] = await claim_again(world, FEED)
    late = read(claim, xml(("1", "Cook")), datetime(2020, 1, 1, tzinfo=UTC))
    assert (await world.frontier("w").record([late])).jobs == JobsReport(listed=1)
    assert await jobs(world) == before


def posting_page(*jobs: str) -> str:
    scripts = (
        f'<script type="application/ld+json">{{"@type": "JobPosting", "title": "{title}",'
        f' "hiringOrganization": {{"name": "Acme"}}}}</script>'
        for title in jobs
    )
    return f"<!doctype html><title>Jobs</title>{''.join(scripts)}<p>Apply now."


async def test_a_page_that_states_a_posting_lists_it(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    assert await visit(world, PAGE, posting_page("Cook"), "text/html") == JobsReport(1, new=1)
    assert await visit(world, PAGE, posting_page("Head cook"), "text/html") == JobsReport(
        1, changed=1
    )
    [job] = (await jobs(world)).values()
    assert (job["title"], job["url"]) == ("Head cook", PAGE)
    assert "feed" not in job
    [row] = await world.ask("MATCH (p)-[:LISTS]->(j:Job) RETURN p.url AS url")
    assert row["url"] == PAGE
    assert (await visit(world, PAGE, posting_page(), "text/html")).gone == 1


async def status(world: Neo4jWorld, url: str, code: int) -> JobsReport:
    """Visit a page once more that answers with an error."""
    world.clock.pass_s(3600)
    [claim] = await claim_again(world, url)
    reason = Reason.HTTP_CLIENT if code < 500 else Reason.HTTP_SERVER
    outcome = failed(replace(claim, tries=1), world.clock, reason, status=code)
    return (await world.frontier("w").record([outcome], given_back([claim]))).jobs


async def test_a_job_in_two_feeds_and_on_its_page_is_one_row(neo4j_world: Neo4jWorld) -> None:
    """Each of them is read again and again; only what one of them says anew is a change."""
    world, other, page = neo4j_world, "http://other.example/feed", "http://board.example/1"
    told = xml(("1", "Cook"), ("2", "Nurse"))
    mine = xml(("a", "Chef"), ("3", "Smith")).replace("board.example/a", "board.example/1")
    stated = posting_page("Cook wanted").replace('"Acme"', '"Acme Ltd"')
    assert await visit(world, FEED, told) == JobsReport(listed=2, new=2)
    assert await visit(world, other, mine) == JobsReport(listed=2, new=1)
    assert await visit(world, page, stated, "text/html") == JobsReport(listed=1)
    for url, body, kind in ((FEED, told, "xml"), (other, mine, "xml"), (page, stated, "html")):
        assert (await visit(world, url, body, f"text/{kind}")).changed == 0
    [cook] = await world.ask("MATCH (j:Job {url: $url}) RETURN properties(j) AS j", url=page)
    assert (cook["j"]["title"], cook["j"]["feed"]) == ("Cook", FEED)

    assert (await visit(world, FEED, xml(("2", "Nurse")))).gone == 0  # two more list it
    [cook] = await world.ask("MATCH (j:Job {url: $url}) RETURN properties(j) AS j", url=page)
    assert cook["j"]["feed"] == other
    await visit(world, other, mine)
    [cook] = await world.ask("MATCH (j:Job {url: $url}) RETURN properties(j) AS j", url=page)
    assert cook["j"]["title"] == "Chef"  # the next one words it
    assert (await visit(world, other, xml(("3", "Smith")))).gone == 0
    assert (await visit(world, page, posting_page(), "text/html")).gone == 1
    assert len(await world.ask("MATCH (j:Job) RETURN j.key")) == 3


async def test_a_job_whose_url_redirects_to_its_page_is_one_row(neo4j_world: Neo4jWorld) -> None:
    world, frontier, other = neo4j_world, neo4j_world.frontier("w"), "http://firm.example/job/8"
    await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    for via, page in (("http://board.example/1", PAGE), ("http://board.example/2", other)):
        [claim] = await claim_again(world, via)
        await frontier.record([moved(claim, world.clock, page)], given_back([claim]))
    stated = posting_page("Cook").replace("}</script>", ', "jobLocation": "Graz"}</script>')
    for _ in range(2):
        assert await visit(world, PAGE, stated, "text/html") == JobsReport(listed=1)
    # A job that is filled may lead to another one.
    smith = stated.replace("Cook", "Smith")
    assert await visit(world, other, smith, "text/html") == JobsReport(listed=1, new=1)
    titles = await world.ask("MATCH (j:Job) RETURN j.title AS title ORDER BY title")
    assert [row["title"] for row in titles] == ["Cook", "Nurse", "Smith"]


async def test_two_workers_make_one_row_of_a_job(neo4j_world: Neo4jWorld) -> None:
    """Two feeds with the same jobs, read at the same moment, in batches."""
    world, other = neo4j_world, "http://other.example/feed"
    await claim_again(world, FEED, other)
    jobs = [
        [Posting(f"Job {n}", "Acme", url=f"http://board.example/{n}") for n in range(at, at + 20)]
        for at in range(0, 200, 20)
    ]
    whole = Reading(of_feed=True)
    reports = await asyncio.gather(
        write_reading(world.graph, FEED, iter(jobs), whole, world.clock.now),
        write_reading(world.graph, other, reversed(jobs), whole, world.clock.now),
        write_reading(world.graph, FEED, iter(jobs), whole, world.clock.now),
    )
    assert sum(report.new for report in reports) == 200
    assert len(await world.ask("MATCH (j:Job) RETURN j.key")) == 200


async def test_a_reading_that_ends_early_marks_nothing_gone(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    jobs = [Posting(f"Job {n}", url=f"http://board.example/{n}") for n in range(4)]
    await claim_again(world, FEED)
    await write_reading(world.graph, FEED, [jobs], Reading(of_feed=True), world.clock.now)

    def broken() -> Iterator[list[Posting]]:
        yield [replace(jobs[0], title="New")] * JOBS_AT_ONCE
        raise KeyboardInterrupt

    world.clock.pass_s(60)
    with pytest.raises(KeyboardInterrupt):
        await write_reading(world.graph, FEED, broken(), Reading(of_feed=True), world.clock.now)
    rows = await world.ask("MATCH (j:Job) RETURN j.title AS title, j.goneAt AS gone")
    assert sorted(row["title"] for row in rows) == ["Job 1", "Job 2", "Job 3", "New"]
    assert not any(row["gone"] for row in rows)


async def test_what_was_met_is_kept_on_the_feed(neo4j_world: Neo4jWorld) -> None:
    """Own ids 0 and none name no job; 7 names two; one job has no title; one stands twice."""
    jobs = [("0", "A"), ("0", "B"), ("none", "C"), ("7", "D"), ("7", "E"), ("8", ""), ("9", "F")]
    body = xml(*jobs, ("9", "F")).replace("board.example/7<", "board.example/job<")
    await visit(neo4j_world, FEED, body)
    for _ in range(2):
        [feed] = await look.feeds(neo4j_world.graph)
        assert (feed.jobs, feed.repeated, feed.clashes, feed.untitled) == (7, 1, 1, 1)
        assert await visit(neo4j_world, FEED, body) == JobsReport(7, 0, 0, 0, 1, 1, 1)


async def test_rows_of_an_older_version_are_known_again(neo4j_world: Neo4jWorld) -> None:
    """Before, a listing kept nothing of what its source says."""
    world = neo4j_world
    await visit(world, FEED, xml(("1", "Cook"), ("2", "Nurse")))
    await visit(world, PAGE, posting_page("Smith"), "text/html")
    before = {row["title"]: row["key"] for row in (await jobs(world)).values()}
    await world.ask(
        "MATCH ()-[l:LISTS]->(j:Job) SET j.digest = 'old' REMOVE l.key, l.urlKey, l.sameAs,"
        " l.nameKey, l.textKey, l.digest, j.batch, j.wordedBy"
    )
    await world.ask("MATCH (p:JobPage) REMOVE p:JobPage")
    await world.graph.run_schema(queries.load("schema/V005__jobs_of_many_sources").text)
    assert await visit(world, FEED, xml(("1", "Cook"), ("2", "Head nurse"))) == JobsReport(
        2, changed=1
    )
    assert await visit(world, PAGE, posting_page("Smith"), "text/html") == JobsReport(1)
    rows = (await jobs(world)).values()
    assert sorted(row["key"] for row in rows) == sorted(before.values())
    assert not await world.ask("MATCH (p) WHERE p.listsOld IS NOT NULL RETURN p")


async def test_a_page_with_jobs_is_visited_again_and_tells_what_is_gone(
    neo4j_world: Neo4jWorld,
) -> None:
    world = neo4j_world

    async def due() -> int:
        return (await revisit_feeds(world.graph, now_ms=world.clock.ms)).due

    async def page() -> Node:
        return (await world.pages())[PAGE]

    await visit(world, PAGE, posting_page("Cook"), "text/html")
    assert "JobPage" in (await page())["labels"]
    world.clock.pass_s(PAGE_SHORTEST_S - 1)
    assert (await revisit_feeds(world.graph, all_now=True, now_ms=world.clock.ms)).due == 0
    world.clock.pass_s(1)
    assert await due() == 1
    waiting = await page()
    assert waiting["priority"] == waiting["reward"]  # no feed, no bonus
    assert (await visit(world, PAGE, posting_page("Cook"), "text/html")).gone == 0
    assert (await page())["visitIntervalS"] == 1.5 * PAGE_SHORTEST_S
    assert (await status(world, PAGE, 503)).gone == 0
    assert (await status(world, PAGE, 404)).gone == 1
    assert "JobPage" not in (await page())["labels"]
    found = [job async for job in joblist.jobs(world.graph, what=joblist.What.GONE)]
    assert [job.title for job in found] == ["Cook"]
    world.clock.pass_s(9 * PAGE_SHORTEST_S)
    assert await due() == 0


async def test_many_jobs_are_written_in_several_transactions(neo4j_world: Neo4jWorld) -> None:
    world, count = neo4j_world, 2 * JOBS_AT_ONCE + 1
    many = xml(*((str(n), f"Job {n}") for n in range(count)))
    assert await visit(world, FEED, many) == JobsReport(count, new=count)
    assert (await visit(world, FEED, xml(("0", "Job 0")))).gone == count - 1


async def test_what_neo4j_cannot_store_costs_only_its_page(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    claims = await claim_again(world, FEED, PAGE)
    bad = Posting("\ud800", own_id="1234")
    good = read(claims[0], xml(("1", "Cook")), world.clock.now)
    page = Page(postings=(bad,), reading=Reading(), digest="x")
    broken = replace(read(claims[1], posting_page(), world.clock.now, "text/html"), page=page)
    report = await world.frontier("w").record([good, broken], given_back(claims))
    assert report.unrecordable == (PAGE,)
    assert list(await jobs(world)) == ["1"]


def test_reports_add_up() -> None:
    parts: Sequence[JobsReport] = (JobsReport(1, 2, 3, 4), JobsReport(10, 20, 30, 40))
    assert parts[0] + parts[1] == JobsReport(11, 22, 33, 44)
