"""What becomes of pages, links and hosts, before any graph is asked."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.models import (
    Claim,
    Fetched,
    Grant,
    HostUpdate,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
)
from graphcrawl.recorded import RecordReport
from graphcrawl.settle import grant_text, host_rows, retry_wait_s, settle, targets

NOW = datetime(2030, 1, 1, tzinfo=UTC)
CLAIM = Claim("http://a.example/", "a.example", 1.0, 2, token=7, tries=1)


def fetched(page: Page, claim: Claim = CLAIM) -> Outcome:
    return Outcome(claim, Fetched(claim.url, 200, b"abc", "text/html", "", NOW, 0.1), page)


def source(reward: float) -> dict[str, object]:
    return {"reward": reward, "depth": 2, "redirects": 0, "feedHint": 0.0}


weights = st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=1, max_size=30)


@given(weights, st.floats(0, 1e6), st.floats(0, 0.9))
def test_newborns_share_what_is_minted(weights: list[float], reward: float, newborn: float) -> None:
    """Σ minted = newborn share × reward, and shares are as the weights."""
    links = tuple(
        Link(f"http://b.example/{i}", "b.example", weight=w) for i, w in enumerate(weights)
    )
    rows = targets(
        [fetched(Page(links=links))], {CLAIM.url: source(reward)}, newborn=newborn, max_redirects=5
    )
    assert sum(row["reward"] for row in rows) == pytest.approx(newborn * reward)
    for row, weight in zip(rows, weights, strict=True):
        assert row["reward"] * sum(weights) == pytest.approx(newborn * reward * weight)
        assert (row["depth"], row["weight"], row["axons"][0]["source"]) == (3, weight, 0)


def test_the_example_of_the_source() -> None:
    """Reward 100, four links of equal weight: each new page gets 2.5 [000.newborn]."""
    links = tuple(Link(f"http://b.example/{i}", "b.example") for i in range(4))
    rows = targets(
        [fetched(Page(links=links))], {CLAIM.url: source(100.0)}, newborn=0.1, max_redirects=5
    )
    assert [row["reward"] for row in rows] == [2.5] * 4


def test_a_fetched_page_keeps_what_is_known_of_it() -> None:
    page = Page(title="T", language="de", digest="d", grants=(Grant("taleo", 10, "links"),))
    row = settle(fetched(page))
    assert row["label"] == "Fetched"
    assert row["grants"] == [["taleo", 10, "10 taleo links"]]
    assert row["properties"]["bytes"] == 3
    assert row["properties"]["tries"] == 2
    assert row["properties"]["language"] == "de"
    assert row["properties"]["etag"] is None  # an earlier visit's is removed


def test_neither_html_nor_xml_is_excluded() -> None:
    row = settle(fetched(Page(unsupported=True)))
    assert (row["label"], row["properties"]["reason"]) == ("Excluded", "type")


def test_what_was_never_asked_for_has_no_time() -> None:
    refused = NotFetched(CLAIM.url, Reason.ROBOTS, "no", NOW, requested=False)
    row = settle(Outcome(CLAIM, refused))
    assert "fetchedAt" not in row["properties"]
    assert row["properties"]["tries"] == 1


@pytest.mark.parametrize(
    ("points", "text"), [(1.0, "1 a b"), (0.1, "0.1 a b"), (1234567.25, "1234567.25 a b")]
)
def test_grants_lose_no_digit(points: float, text: str) -> None:
    assert grant_text(points, "a", "b") == text


def test_updates_of_a_host_are_folded_in_order() -> None:
    def update(*, failed: bool, pause_s: float = 1.0, token: int | None = None) -> HostUpdate:
        return HostUpdate("a.example", 2.0, pause_s, failed, token)

    [row] = host_rows(
        [],
        [fetched(Page())],
        [update(failed=True), update(failed=False, pause_s=9.0, token=7), update(failed=True)],
    )
    assert (row["answered"], row["failures"]) == (True, 1)
    assert (row["pauseS"], row["token"], row["delayS"], row["fresh"]) == (9.0, 7, 2.0, True)


def test_hosts_come_sorted_and_once() -> None:
    rows = host_rows(["c", "b", "c"], [], [HostUpdate("a", 1.0, 1.0)])
    assert [(row["name"], row["asked"]) for row in rows] == [
        ("a", True),
        ("b", False),
        ("c", False),
    ]
    assert rows[0]["fresh"] is False


def test_reports_add_up() -> None:
    one = RecordReport(fetched=1, refused=("x",), minted=0.5, parked={"a": 60.0})
    two = RecordReport(fetched=2, failed=1, minted=0.25, parked={"b": 60.0})
    total = one + two
    assert (total.fetched, total.failed, total.accepted, total.minted) == (3, 1, 4, 0.75)
    assert (total.refused, total.parked) == (("x",), {"a": 60.0, "b": 60.0})


@pytest.mark.parametrize(
    ("reason", "tries", "seconds"),
    [
        (Reason.READ, 0, 5.0),
        (Reason.TRUNCATED, 1, 10.0),
        (Reason.HTTP_SERVER, 0, 10.0),
        (Reason.CONNECT, 0, 10.0),
        (Reason.TIMEOUT, 2, 40.0),
        (Reason.DNS, 0, 20.0),
        (Reason.TLS, 0, 20.0),
        (Reason.DNS, 60, 3600.0),
    ],
)
def test_how_long_a_failed_page_waits_depends_on_its_failure(
    reason: Reason, tries: int, seconds: float
) -> None:
    assert retry_wait_s(reason, tries, 5.0) == seconds
