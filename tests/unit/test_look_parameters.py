"""Saved queries by name, their parameters, and what limits a crawl."""

from datetime import datetime

import pytest

from graphcrawl import look, queries, saved_queries
from graphcrawl.errors import QueryError
from graphcrawl.look import Bound, Counts, Hosts
from graphcrawl.queries import parse_statement

STATEMENT = parse_statement(
    "explore/sample",
    """// Sample
// mode: read
// params: $host STRING host key
//         $limit INTEGER rows = 25
//         $share FLOAT share = 0.5
//         $since DATETIME first time = null
//         $urls LIST<STRING> pages = []
RETURN 1""",
)


def counts(frontier: int, leased: int = 0) -> Counts:
    return Counts(9, 9, frontier, leased, 0, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("frontier", "leased", "hosts", "expected"),
    [
        (0, 0, Hosts(1, 0, 0, 0, None), Bound.FRONTIER),
        (0, 2, Hosts(1, 0, 0, 0, None), Bound.IN_FLIGHT),
        (5, 0, Hosts(1, 0, 0, 1, None), Bound.HOSTS),
        (5, 0, Hosts(2, 2, 0, 0, 1.5), Bound.POLITENESS),
        (5, 2, Hosts(2, 2, 1, 0, 1.5), Bound.NONE),
    ],
)
def test_what_limits_a_crawl(frontier: int, leased: int, hosts: Hosts, expected: Bound) -> None:
    assert look.bound(counts(frontier, leased), hosts) is expected


def test_parameters_are_read_by_their_types() -> None:
    words = ["host=a=b", "$limit=3", "share=1", "since=2026-01-31", 'urls=["x"]']
    assert saved_queries.read_parameters(STATEMENT, words) == {
        "host": "a=b",
        "limit": 3,
        "share": 1.0,
        "since": datetime(2026, 1, 31),
        "urls": ["x"],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], r"needs \$host \(host key\)"),
        (["host"], "Cannot read the parameter 'host'"),
        (["hots=1"], "no parameter 'hots'"),
        (["host=a", "limit=many"], r"\$limit of 'explore/sample' is INTEGER, not 'many'"),
        (["host=a", "urls=x,y"], "LIST<STRING>"),
    ],
)
def test_wrong_parameters(words: list[str], message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        saved_queries.read_parameters(STATEMENT, words)
    assert caught.value.hint


def test_queries_are_found_by_full_and_short_name() -> None:
    assert saved_queries.find("explore/best_pages") is saved_queries.find("best_pages")
    with pytest.raises(QueryError) as caught:
        saved_queries.find("best_page")
    assert "best_pages" in caught.value.hint


def test_people_see_their_queries_first() -> None:
    shown = saved_queries.listed()
    assert len(shown) >= 6
    assert all(saved.mode == "read" for saved in shown)
    assert {s.name for s in saved_queries.listed(everything=True)} == set(queries.names())
