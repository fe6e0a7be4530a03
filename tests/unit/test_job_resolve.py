"""Which posting is which job, over readings and sources, decided without a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphcrawl.jobs.changes import Changes, JobsReport, Source, decide
from graphcrawl.jobs.identity import real_id, said_of
from graphcrawl.jobs.resolve import Rows
from graphcrawl.models import Posting, Reading

A, B, PAGE = "http://a.example/jobs.xml", "http://b.example/feed", "http://firm.example/7"
START = datetime(2026, 3, 1, tzinfo=UTC)
COOK = Posting("Cook", "Acme", place="Graz", description="Cooks what guests like to eat.")


class Store:
    """The rows that Neo4j would hold, as the statements would leave them."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.found = Rows()
        self.hour = 0

    def read(self, lister: str, *batches: list[Posting], of_feed: bool = True) -> JobsReport:
        """Write a reading, batch by batch, an hour after the last one."""
        self.hour += 1
        at = START + timedelta(hours=self.hour)
        source = Source(lister, lister, at, Reading(of_feed=of_feed))
        report = JobsReport()
        for batch in batches:
            changes = Changes()
            pairs = [(said_of(lister, posting), posting) for posting in batch]
            report += decide(source, pairs, self.found, changes)
            for row in changes.full:
                self.rows.setdefault(row["job"], {}).update(row["properties"])
        return report

    def ids(self) -> list[str]:
        return list(self.rows)


def found(report: JobsReport) -> tuple[int, int, int, int]:
    return report.new, report.changed, report.repeated, report.clashes


def at(number: int | str, **changes: Any) -> Posting:
    return replace(COOK, url=f"http://a.example/job/{number}", **changes)


# --- one source -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (at(1), at(1, title="Head cook")),
        (at(1), at(1, title="Head cook", description="Cooks at night.")),
        (replace(COOK, own_id="7"), replace(COOK, own_id="7", title="Head cook")),
        (replace(COOK, own_id="7"), replace(COOK, own_id="7", title="Chef", description="New.")),
        (at("x", own_id="7"), at("y", own_id="7", title="Head cook")),  # described alike
        (at("123-cook", own_id="123"), at("123-chef", own_id="123", title="Chef", description="")),
        (at(1, own_id="7"), at(1, own_id="8")),  # new ids, the rest as it was
        (at("?session=1"), at("?session=2")),
    ],
)
def test_a_change_of_one_job(first: Posting, second: Posting) -> None:
    store = Store()
    assert found(store.read(A, [first])) == (1, 0, 0, 0)
    changed = said_of(A, first).digest != said_of(A, second).digest
    assert found(store.read(A, [second])) == (0, int(changed), 0, 0)
    assert found(store.read(A, [second])) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (at(1), at(2, description="")),
        (at(1, own_id="1"), at(2, own_id="1", title="Nurse", description="Nurses.")),  # positions
        (at(1, own_id="7"), at(1, own_id="8", title="Nurse")),
        (at(1, own_id="7"), at(2, own_id="8")),
        (COOK, replace(COOK, description="Another kitchen.")),
        (replace(COOK, own_id="0"), replace(COOK, own_id="0", title="Nurse")),
        (replace(COOK, own_id="none"), replace(COOK, own_id="None", title="Nurse")),
    ],
)
def test_two_jobs(first: Posting, second: Posting) -> None:
    for batches in ([[first, second]], [[first], [second]]):  # in one reading
        store = Store()
        assert store.read(A, *batches).new == 2
        assert found(store.read(A, *batches))[:2] == (0, 0)
    store = Store()
    store.read(A, [first])  # in two
    assert store.read(A, [second]).new == 1


@pytest.mark.parametrize("posting", [COOK, at(1), at(1, own_id="7"), Posting("Cook")])
def test_the_same_once_more_is_a_repeat(posting: Posting) -> None:
    for batches in ([[posting, posting]], [[posting], [posting]]):
        assert found(Store().read(A, *batches)) == (1, 0, 1, 0)


def test_ids_that_clash_lose_no_job_and_keep_their_rows() -> None:
    jobs = [at(n, own_id="7", place=f"Town {n}", description=f"Text {n}") for n in range(4)]
    store = Store()
    assert found(store.read(A, jobs)) == (4, 0, 0, 1)
    assert store.read(A, jobs[::-1]).clashes == 1
    ids = store.ids()
    assert found(store.read(A, [jobs[3]], [jobs[1]], [jobs[0], jobs[2]])) == (0, 0, 0, 1)
    changed = replace(jobs[2], title="Baker")
    assert found(store.read(A, [jobs[3], changed])) == (0, 1, 0, 1)
    assert store.ids() == ids


def test_an_id_that_clashes_later_leaves_the_first_row_alone() -> None:
    store = Store()
    store.read(A, [at(1, own_id="7")])
    other = at(2, own_id="7", title="Nurse", description="Nurses.")
    assert found(store.read(A, [other, at(1, own_id="7")])) == (1, 0, 0, 1)


def test_a_url_that_many_jobs_share_tells_none_apart() -> None:
    """The address of a firm's page of jobs stands on each of them."""
    jobs = [at("", title=f"Job {n}", description=f"Text {n}") for n in range(600)]
    store = Store()
    assert store.read(A, jobs[:500], jobs[500:]).new == 600
    assert found(store.read(A, jobs[300:], jobs[:300])) == (0, 0, 0, 0)
    assert found(store.read(A, [at("", title="Job 600", description="New"), *jobs[:99]])) == (
        (1, 0, 0, 0)
    )


def test_a_job_that_comes_back_is_the_same() -> None:
    store = Store()
    store.read(A, [at(1, own_id="7")])
    [row] = store.found.by_key[said_of(A, at(1, own_id="7")).key]
    row.gone_ms = 1
    assert found(store.read(A, [at(1, own_id="7")])) == (0, 1, 0, 0)


# --- several sources ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (at(1, own_id="7"), at(1, own_id="x9", title="Cook (m/f/d)", description="Short.")),
        (at(1), replace(COOK, url="http://b.example/9")),
        (at(1), COOK),
        (Posting("Cook", "Acme"), Posting("Cook", "Acme")),
        (Posting("Cook", description="x" * 80), Posting("COOK", description="x" * 80)),
    ],
)
def test_one_job_in_two_sources(one: Posting, other: Posting) -> None:
    store = Store()
    store.read(A, [one])
    assert found(store.read(B, [other])) == (0, 0, 0, 0)
    assert found(store.read(A, [one])) == (0, 0, 0, 0)  # however the two word it
    assert found(store.read(B, [other])) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (replace(COOK, own_id="7"), replace(COOK, own_id="7", title="Nurse")),  # ids of their own
        (replace(COOK, company=""), replace(COOK, company="")),  # any kitchen
        (at(1, description=""), replace(COOK, url="http://b.example/1", description="")),
        (
            replace(COOK, url="http://a.example/"),
            replace(COOK, url="http://a.example/", title="Nurse"),
        ),
    ],
)
def test_two_jobs_in_two_sources(one: Posting, other: Posting) -> None:
    store = Store()
    store.read(A, [one])
    assert store.read(B, [other]).new == 1


def test_jobs_alike_in_two_sources_are_paired_one_by_one() -> None:
    """Three cooks wanted by the same text, here and there."""
    store = Store()
    assert store.read(A, [at(n, own_id=f"a{n}") for n in range(3)]).new == 3
    there = [replace(COOK, url=f"http://b.example/{n}", own_id=f"b{n}") for n in range(4)]
    assert found(store.read(B, there)) == (1, 0, 0, 0)
    assert found(store.read(B, there[::-1])) == (0, 0, 0, 0)


def test_a_feed_and_a_page_state_one_job() -> None:
    store = Store()
    feed = Posting("Cook", "Acme", url=PAGE, own_id="7")
    page = Posting("Cook (m/f/d)", "Acme Ltd", url=PAGE, salary="3000 EUR", description="Long text")
    assert store.read(A, [feed]).new == 1
    assert found(store.read(PAGE, [page], of_feed=False)) == (0, 0, 0, 0)
    [row] = store.rows.values()
    assert (row["title"], row["salary"], row["feed"]) == ("Cook", "3000 EUR", A)
    assert found(store.read(PAGE, [replace(page, salary="1 EUR")], of_feed=False)) == (0, 0, 0, 0)
    assert found(store.read(A, [replace(feed, title="Chef")])) == (0, 1, 0, 0)
    [row] = store.rows.values()
    assert (row["title"], row["salary"]) == ("Chef", "3000 EUR")


@pytest.mark.parametrize(
    "text", ["0", "000", "none", "N/A", "null", "-", " ", "ID", "00000000-0000"]
)
def test_what_is_no_id(text: str) -> None:
    assert real_id(text) == ""


@pytest.mark.parametrize("text", ["1", "10", "A-0", "no1", "R-1", "nullify"])
def test_what_is_an_id(text: str) -> None:
    assert real_id(text) == text
