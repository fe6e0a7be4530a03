"""Retry-After: what RFC 9110 §10.2.3 allows, and what is sent all the same."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.fetch.retry_after import retry_after_s

NOW = datetime(2026, 11, 6, 8, 49, 37, tzinfo=UTC)
DATE = "Fri, 06 Nov 2026 08:49:37 GMT"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 120\t", 120.0),
        ("120, 120", 120.0),  # sent twice
        ("3,7", 7.0),
        ("00", 0.0),
        ("9" * 5000, 1e9),
        ("Fri, 06 Nov 2026 08:51:37 GMT", 120.0),  # IMF-fixdate
        ("Friday, 06-Nov-26 08:51:37 GMT", 120.0),  # RFC 850
        ("Fri Nov  6 08:51:37 2026", 120.0),  # asctime
        ("Fri, 06 Nov 2026 09:51:37 +0100", 120.0),
        ("Fri, 06 Nov 2026 08:51:37", 120.0),
        ("fri, 06 nov 2026 08:51:37 gmt", 120.0),
        ("Wed, 06 Nov 2026 08:51:37 GMT", 120.0),  # the wrong day of the week
        ("2026-11-06T08:51:37Z", 120.0),
        ("2026-11-06T09:51:37+01:00", 120.0),
        (DATE, 0.0),
        ("Fri, 06 Nov 2026 08:49:36 GMT", None),  # past
        ("Sunday, 06-Nov-94 08:49:37 GMT", None),  # RFC 9110: not in 2094
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("Fri, 31 Feb 2026 08:49:37 GMT", None),
        ("Fri, 06 Nov 99999 08:49:37 GMT", None),
        ("-5", None),
        ("+5", None),
        ("1.5", None),
        ("1e3", None),
        ("0x10", None),
        ("٣", None),  # a digit, but not of ASCII
        ("²", None),
        ("120s", None),
        ("soon", None),
        ("never", None),
        ("NaN", None),
        ("inf", None),
        (",", None),
        ("", None),
    ],
)
def test_forms(value: str, seconds: float | None) -> None:
    assert retry_after_s(value, DATE) == seconds
    assert retry_after_s(value, "", NOW) == seconds


def test_a_date_is_compared_with_the_clock_of_who_sent_it() -> None:
    assert (
        retry_after_s("Fri, 06 Nov 2026 08:51:37 GMT", DATE, datetime(2031, 1, 1, tzinfo=UTC))
        == 120
    )
    assert retry_after_s("Fri, 06 Nov 2026 08:51:37 GMT", "rubbish", NOW) == 120


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_makes_it_raise_and_no_wait_is_negative(value: str, date: str) -> None:
    seconds = retry_after_s(value, date, NOW)
    assert seconds is None or 0.0 <= seconds <= 1e9


@given(st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(9998, 1, 1)))
def test_every_date_is_understood(at: datetime) -> None:
    at = at.replace(microsecond=0, tzinfo=UTC)
    seconds = retry_after_s(
        at.strftime("%a, %d %b ") + f"{at.year:04d}" + at.strftime(" %H:%M:%S GMT"), DATE
    )
    expected = (at - NOW).total_seconds()
    assert seconds == (None if expected < 0 else min(expected, 1e9))
