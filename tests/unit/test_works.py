"""What ran beside a crawl, as it is told and read again."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from graphcrawl.cli import words
from graphcrawl.works import Ran, Work, stale_s, tell

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def work(name: str, age_s: float, seconds: float = 0.5) -> Work:
    return Work(name, name, AT - timedelta(seconds=age_s), seconds, 3, 1.5, 0.015)


def test_a_run_tells_what_it_did_beside_and_its_share() -> None:
    ran = {"push": Ran(AT, 0.25, 4), "beat": Ran(AT, 0.01, 9)}
    rows = json.loads(tell(ran, {"push": 1.0, "beat": 0.1}, 20.0))
    assert rows == [
        {
            "name": "push",
            "begunAt": "2026-03-01T12:00:00+00:00",
            "seconds": 0.25,
            "runs": 4,
            "totalS": 1.0,
            "share": 0.05,
        }
    ]


@pytest.mark.parametrize(
    ("order", "expected"), [("reward", 3.0), ("composite", 1.0), ("quality", 1.0)]
)
def test_priorities_are_as_old_as_the_begin_of_what_sets_them(order: str, expected: float) -> None:
    ran = [work("push", 3.0), work("order", 1.0), work("distribute", 80.0), work("prune", 0.1)]
    assert stale_s(ran, order, None, AT) == expected


def test_after_a_crawl_priorities_grow_no_older() -> None:
    later = AT + timedelta(days=2)
    assert stale_s([work("push", 3.0)], "reward", AT, later) == 3.0
    assert stale_s([work("push", -60.0)], "reward", AT, later) == 0.0  # a push came after it
    assert stale_s([work("prune", 3.0)], "reward", AT, later) is None


def test_the_line_for_people() -> None:
    line = words.works([work("push", 0.0), work("feeds", 0.0)], 4.0)
    assert " ago, took 0.5 s, 1.5% of the time; priorities may be 4.0 s old" in line
    assert "feeds" not in line
    assert words.works([], None) == ""
