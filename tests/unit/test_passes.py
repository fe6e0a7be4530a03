"""Filters on archived rows answer as `look/passes.part` does on neurons."""

from datetime import UTC, datetime

import pytest

from graphcrawl import where
from graphcrawl.passes import passes

LABELS = ["PageNeuron", "Fetched", "Seed"]
PAGE = {
    "url": "http://a.example/x",
    "host": "a.example",
    "title": "Head NURSE",
    "reward": 2.5,
    "depth": 3,
    "fetchedAt": datetime(2026, 1, 31, 12, tzinfo=UTC),
    "grants": ["1 job text", "10 feed-new"],
    "wishes": ["noai"],
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("host=a.example", True),
        ("host!=a.example", False),
        ("title~nurse", True),
        ("language~de", False),  # it has none
        ("language=de", False),
        ("language!=de", True),
        ("reward>2.5", False),
        ("reward>=2.5", True),
        ("depth<4 reward<3", True),
        ("depth<4 reward<2", False),
        ("status>0", False),
        ("fetched_at>=2026-01-31", True),
        ("fetched_at<2026-01-31", False),
        ("state=fetched", True),
        ("state!=fetched", False),
        ("seed=yes feed=no", True),
        ("rule=job", True),
        ("rule!=job", False),
        ("rule!=other", True),
        ("wish=noai", True),
        ("wish!=noai", False),
        ("reserved=no", True),
        ("reserved=yes", False),
    ],
)
def test_terms(text: str, expected: bool) -> None:
    assert passes(where.parse([text]), LABELS, PAGE) is expected
