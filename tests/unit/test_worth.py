"""What pages are worth and how good they are: figures by hand from the stated formulas."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.models import (
    Claim,
    Fetched,
    Grant,
    JobFeed,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)
from graphcrawl.scoring.worth import lesson_of, quality_of, worth_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
URL = "http://h.example/"
CLAIM = Claim(URL, "h.example", 1.0, 0, 1)
TEN = (Grant("job", 4.0, "text"), Grant("nurse", 6.0, "title"))
FEED = JobFeed("rss", 3)


def test_worth_is_the_greatest_of_reward_topic_and_keywords() -> None:
    assert worth_of(Page(grants=TEN)) == pytest.approx(0.6321, abs=1e-4)  # 1 − 1/e
    assert worth_of(Page(grants=TEN, topic=0.8)) == 0.8
    assert worth_of(Page(grants=TEN, topic=0.1, keywords=0.9)) == 0.9
    assert worth_of(Page(feed=FEED)) == 1.0
    assert worth_of(Page()) == worth_of(None) == 0.0
    assert worth_of(Page(topic=math.nan, keywords=math.inf)) == 0.0


def test_quality_by_the_stated_formula() -> None:
    page = Page(grants=TEN, language="de")
    # 0.4·0.6321 + 0.3·(1 − 1/e) + 0.2·(0.1 / 0.25) + 0.1
    found = quality_of(page, text_chars=1500, markup_chars=15_000)
    assert found == pytest.approx(0.25285 + 0.18964 + 0.08 + 0.1, abs=1e-4)
    # density not known: 0.5; language not known: 0.5
    assert quality_of(Page(visible="x" * 1500)) == pytest.approx(0.18964 + 0.1 + 0.05, abs=1e-4)
    assert quality_of(page, text_chars=1500, markup_chars=3000, languages=("en",)) == (
        pytest.approx(0.25285 + 0.18964 + 0.2, abs=1e-4)
    )


def test_errors_shells_and_duplicates_are_bad() -> None:
    page = Page(language="en", visible="x" * 9000)
    whole = quality_of(page)
    assert quality_of(page, duplicate=True) == pytest.approx(0.2 * whole)
    shell = Page(language="en", visible="x" * 9000, needs_script=True)
    assert quality_of(shell) == pytest.approx(0.2 * whole)
    assert quality_of(None) == quality_of(Page(unsupported=True)) == quality_of(Page()) == 0.0


def test_a_job_feed_is_not_judged_by_its_text() -> None:
    assert quality_of(Page(feed=FEED, language="en")) == pytest.approx(1.0)


@given(
    st.floats(0, 1e9),
    st.integers(-5, 10**9),
    st.none() | st.integers(-5, 10**9),
    st.booleans(),
)
def test_quality_stays_within_0_and_1(
    points: float, chars: int, markup: int | None, duplicate: bool
) -> None:
    page = Page(grants=(Grant("x", points, "text"),), language="en")
    found = quality_of(page, text_chars=chars, markup_chars=markup, duplicate=duplicate)
    assert 0.0 <= found <= 1.0


def test_what_outcomes_teach() -> None:
    fetched = Fetched(URL, 200, b"", "text/html", "", NOW, 0.1)
    page = Page(grants=TEN, quality=0.5)
    worth = pytest.approx(0.6321, abs=1e-4)
    assert lesson_of(Outcome(CLAIM, fetched, page)) == (worth, 0.5)
    assert lesson_of(Outcome(CLAIM, fetched, page), duplicate=True) == (worth, 0.1)

    def failed(reason: Reason, **more: bool) -> Outcome:
        return Outcome(CLAIM, NotFetched(URL, reason, "", NOW, **more))

    assert lesson_of(failed(Reason.HTTP_CLIENT)) == (0.0, 0.0)
    assert lesson_of(failed(Reason.HTTP_CLIENT, retry=True)) is None
    assert lesson_of(failed(Reason.TIMEOUT)) is None
    assert lesson_of(failed(Reason.ROBOTS)) is None
    assert lesson_of(Outcome(CLAIM, Redirected(URL, 301, URL, "", True, NOW, 0.1))) is None
