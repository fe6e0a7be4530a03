"""What `feeds` and `jobs` say of the (:Job) nodes of a real Neo4j."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphcrawl import cli, joblist, look, where
from graphcrawl.graph import Address, Graph
from graphcrawl.job_rows import write_reading
from graphcrawl.joblist import What
from graphcrawl.models import Posting, Reading

FEED, PAGE = "http://a.example/feed.xml", "http://b.example/jobs/9"
# Two readings of a feed: the second adds d and e, changes b and drops c. A page states p.
SAMPLE = f"""
CREATE (f:PageNeuron:Fetched:JobFeed {{url: '{FEED}', host: 'a.example', feedForm: 'rss',
  feedJobs: 4, reward: 7.0, inLinks: 2, foundBy: 'http://a.example/',
  fetchedAt: datetime('2026-01-31T10:00Z'), nextVisitAt: datetime('2026-01-31T10:30Z'),
  visitIntervalS: 1800.0}})
CREATE (:PageNeuron:Fetched:JobFeed:Frontier {{url: 'http://c.example/jobs.xml', host: 'c.example',
  feedForm: 'atom', feedJobs: 5, reward: 1.0, inLinks: 1, priority: 101.0, feedHint: 1.0,
  fetchedAt: datetime('2026-01-31T11:00Z'), error: 'timeout: too slow'}})
CREATE (p:PageNeuron:Fetched {{url: '{PAGE}', host: 'b.example',
  fetchedAt: datetime('2026-01-29T09:00Z')}})
WITH f, p
UNWIND [
  ['a', '2026-01-30T10:00Z', null, null, 'Nurse', 'DE', datetime('2026-01-29T00:00Z')],
  ['b', '2026-01-30T10:00Z', '2026-01-31T10:00Z', null, 'Head nurse', 'DE',
   datetime('2026-01-30T00:00Z')],
  ['c', '2026-01-30T10:00Z', null, '2026-01-31T10:00Z', '=cmd()', 'FR', null],
  ['d', '2026-01-31T10:00Z', '2026-01-31T10:00Z', null, 'Welder', 'FR',
   datetime('2026-01-30T15:00Z')],
  ['e', '2026-01-31T10:00Z', null, null, 'Cook', null, null]
] AS row
CREATE (f)-[:LISTS]->(:Job {{key: row[0], firstSeenAt: datetime(row[1]),
  changedAt: datetime(row[2]), goneAt: datetime(row[3]), title: row[4], country: row[5],
  posted: row[6], feed: '{FEED}', company: 'Müller, "Söhne"',
  lastSeenAt: datetime('2026-01-31T10:00Z')}})
WITH DISTINCT p
CREATE (p)-[:LISTS]->(:Job {{key: 'p', firstSeenAt: datetime('2026-01-29T09:00Z'), title: 'Baker',
  feed: '{PAGE}'}})
"""


@pytest.fixture
async def sample(graph: Graph) -> Graph:
    await graph.run_schema(SAMPLE)
    return graph


async def ids(graph: Graph, *filters: str, **options: Any) -> list[str]:
    terms = where.parse(filters, where.JOB_FIELDS)
    return [job.id async for job in joblist.jobs(graph, terms, **options)]


async def test_all_jobs_newest_first(sample: Graph) -> None:
    assert await ids(sample) == ["d", "e", "a", "b", "c", "p"]
    assert await ids(sample, limit=2) == ["d", "e"]


async def test_a_reading_that_adds_two_changes_one_and_drops_one(sample: Graph) -> None:
    only_feed = f"feed={FEED}"
    assert await ids(sample, only_feed, what=What.NEW) == ["d", "e"]
    assert await ids(sample, only_feed, what=What.CHANGED) == ["b"]
    assert await ids(sample, only_feed, what=What.GONE) == ["c"]


async def test_a_page_read_once_brought_its_job_then(sample: Graph) -> None:
    assert await ids(sample, what=What.NEW) == ["d", "e", "p"]


async def test_a_reading_that_was_killed_and_begun_anew_keeps_its_jobs_new(sample: Graph) -> None:
    """Jobs are written in parts: those of the first part were seen before the whole was read."""
    await sample.run_schema(
        f"MATCH (f:JobFeed {{url: '{FEED}'}})"
        " SET f.readAt = datetime('2026-01-31T10:05Z'), f.fetchedAt = f.readAt,"
        " f.readBeforeAt = datetime('2026-01-30T10:00Z')"
    )
    assert await ids(sample, f"feed={FEED}", what=What.NEW) == ["d", "e"]
    assert await ids(sample, f"feed={FEED}", what=What.GONE) == ["c"]


async def test_a_job_of_a_page_is_new_until_the_next_run_begins(sample: Graph) -> None:
    """A page is seldom read twice: its job would be new for ever."""
    run = "CREATE (:Crawl {{id: '{0}', startedAt: datetime('{0}')}})"
    await sample.run_schema(run.format("2026-01-29T08:00Z"))
    assert await ids(sample, what=What.NEW) == ["d", "e", "p"]
    await sample.run_schema(run.format("2026-02-01T08:00Z"))
    assert await ids(sample, what=What.NEW) == ["d", "e"]


@pytest.mark.parametrize(
    ("what", "since", "found"),
    [
        (What.NEW, "2026-01-30T10:00", ["d", "e", "a", "b", "c"]),
        (What.NEW, "2026-01-30T10:01", ["d", "e"]),
        (What.CHANGED, "2026-01-30", ["b"]),
        (What.CHANGED, "2026-01-31T10:01", []),
        (What.GONE, "2026-01-30", ["c"]),
        (What.ALL, "2026-01-31", ["d", "e", "b", "c"]),  # each once, whatever happened to it
        (What.ALL, "2026-01-29", ["d", "e", "a", "b", "c", "p"]),
    ],
)
async def test_since(sample: Graph, what: What, since: str, found: list[str]) -> None:
    time = datetime.fromisoformat(since).replace(tzinfo=UTC)
    assert await ids(sample, what=what, since=time) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("country=DE title~NURSE", ["a", "b"]),
        ("country!=DE", ["d", "e", "c", "p"]),
        ("gone=yes", ["c"]),
        ("gone=no country=FR", ["d"]),
        ("gone!=no", ["c"]),
        ("posted>=2026-01-30", ["d", "b"]),
        ("posted>2026-01-30", ["d"]),
        ("posted<2026-01-30T12:00", ["a", "b"]),
        ("posted=2026-01-29", ["a"]),
        ("id=e", ["e"]),
        ("first_seen_at<2026-01-30", ["p"]),
        (f"feed={PAGE}", ["p"]),
        ("""title="' OR true //" """, []),
    ],
)
async def test_filters(sample: Graph, text: str, found: list[str]) -> None:
    assert await ids(sample, text) == found


async def test_a_job_in_full(sample: Graph) -> None:
    terms = where.parse(["id=b"], where.JOB_FIELDS)
    [job] = [job async for job in joblist.jobs(sample, terms)]
    assert (job.title, job.country, job.posted) == (
        "Head nurse",
        "DE",
        datetime(2026, 1, 30, tzinfo=UTC),
    )
    assert job.first_seen_at == datetime(2026, 1, 30, 10, tzinfo=UTC)
    assert job.changed_at == datetime(2026, 1, 31, 10, tzinfo=UTC)
    assert (job.gone_at, job.url, job.feed) == (None, None, FEED)


async def test_feeds(sample: Graph) -> None:
    [read, waiting] = await look.feeds(sample)
    assert (read.url, read.form, read.jobs, read.found_by) == (FEED, "rss", 4, "http://a.example/")
    assert (read.new, read.changed, read.gone) == (2, 1, 1)
    assert read.read_at == datetime(2026, 1, 31, 10, tzinfo=UTC)
    assert read.next_read_at == datetime(2026, 1, 31, 10, 30, tzinfo=UTC)
    assert (read.interval_s, read.waits, read.error) == (1800.0, False, None)
    assert (waiting.jobs, waiting.new, waiting.waits) == (5, None, True)
    assert waiting.error == "timeout: too slow"


async def test_feeds_whose_readings_kept_their_counts(sample: Graph) -> None:
    counts = "readNew: 8, readChanged: 7, readGone: 6, readCut: 5, readJobs: 900"
    read = "readAt: datetime('2026-01-31T09:00Z')"  # what came at 10:00 was no feed
    await sample.run_schema(
        f"MATCH (f {{url: '{FEED}'}}) SET f += {{{counts}, {read}, readWhole: true}}"
    )
    [feed, _] = await look.feeds(sample)
    assert (feed.jobs, feed.new, feed.changed, feed.gone, feed.cut) == (900, 8, 7, 6, 5)
    assert feed.read_at == datetime(2026, 1, 31, 9, tzinfo=UTC)
    assert (feed.ended, feed.unread_bytes) == (None, None)
    cut = "readWhole: false, readEnded: 'size', readUnreadBytes: 77"
    await sample.run_schema(f"MATCH (f {{url: '{FEED}'}}) SET f += {{{cut}}}")
    [feed, _] = await look.feeds(sample)
    assert (feed.ended, feed.unread_bytes) == ("size", 77)
    assert (feed.jobs, feed.new) == (4, 8)  # a cut reading says little of what is listed


async def test_new_jobs_are_followed(sample: Graph) -> None:
    """What is there is passed over; what comes is told once, also of a reading that took long."""

    async def add(*titles: str, hours_ago: int = 0) -> None:
        at = datetime.now(UTC) - timedelta(hours=hours_ago)
        postings = [Posting(title, company="Acme", url=f"{FEED}/{title}") for title in titles]
        await write_reading(sample, PAGE, [postings], Reading(whole=False), at)

    await add("known", hours_ago=30)
    following = joblist.follow(sample, where.parse(["title!=Other"], where.JOB_FIELDS), poll_s=0.05)
    first = asyncio.ensure_future(anext(following))
    await asyncio.sleep(0.5)
    assert not first.done()
    await add("known", "Late", "Other", hours_ago=9)
    assert (await asyncio.wait_for(first, 10)).title == "Late"
    await add("Later")
    assert (await asyncio.wait_for(anext(following), 10)).title == "Later"
    await following.aclose()


async def test_following_may_begin_in_the_past(sample: Graph) -> None:
    since = datetime(2026, 1, 31, tzinfo=UTC)
    following = joblist.follow(sample, since=since, poll_s=0.05)
    assert {(await anext(following)).id, (await anext(following)).id} == {"d", "e"}
    await following.aclose()


@pytest.fixture
async def own_neo4j(
    neo4j_address: Address, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[None]:
    """Let the environment name the tests' server, as a user would name theirs."""
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)
    monkeypatch.chdir(tmp_path)
    yield


def test_commands(sample: Graph, own_neo4j: None, capsys: Any, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        assert cli.run([*words, "--graph", "test"]) == 0
        return str(capsys.readouterr().out)

    [feed, _] = json.loads(said("feeds", "--json"))
    assert (feed["url"], feed["new"], feed["read_at"]) == (FEED, 2, "2026-01-31T10:00:00Z")
    [job] = json.loads(said("jobs", "--changed", "--json"))
    assert (job["id"], job["posted"], job["gone_at"]) == ("b", "2026-01-30T00:00:00Z", None)
    lines = said("jobs", "--csv", "--where", "gone=yes").splitlines()
    assert lines[0].startswith("id,title,company,place,country,")
    assert lines[1].startswith("c,'=cmd(),")
    assert len(said("jobs").splitlines()) == 7
    assert said("jobs", "--since", "1d", "-o", "out.jsonl") == ""
    assert (tmp_path / "out.jsonl").read_text() == ""
    said("jobs", "-o", "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 7
