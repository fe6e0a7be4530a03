"""Names for many hosts: what may be typed, and which hosts they are for."""

import pytest

from graphcrawl.cli.hosts import _told
from graphcrawl.errors import UsageError
from graphcrawl.hosts import Blocked
from graphcrawl.names import holds, names_for, read_host


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("example.org", "example.org"),
        ("EXAMPLE.org:8080", "example.org:8080"),
        ("https://example.org:443/a?b", "example.org"),
        ("*.Example.ORG", "*.example.org"),
        ("example.org:*", "example.org:*"),
        ("*.example.org:*", "*.example.org"),
        ("127.0.0.1:*", "127.0.0.1:*"),
        ("[::1]:*", "[::1]:*"),
        ("*.bücher.example", "*.xn--bcher-kva.example"),
    ],
)
def test_what_may_be_typed(typed: str, name: str) -> None:
    assert read_host(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "*",
        "*.",
        ":*",
        "*.*",
        "a.*.example",
        "*.example.org:8080",
        "*.https://a.example/",
        "a b",
    ],
)
def test_what_is_no_host(typed: str) -> None:
    with pytest.raises(UsageError) as error:
        read_host(typed)
    assert "*.example.org" in error.value.hint


@pytest.mark.parametrize(
    ("name", "host", "expected"),
    [
        ("example.org", "example.org", True),
        ("example.org", "example.org:8080", False),
        ("example.org:*", "example.org:8080", True),
        ("example.org:*", "example.org", True),
        ("example.org:*", "www.example.org", False),
        ("*.example.org", "example.org", True),
        ("*.example.org", "a.b.example.org:81", True),
        ("*.example.org", "notexample.org", False),
        ("*.example.org", "example.org.evil.example", False),
        ("*.1.2.3", "9.1.2.3", False),  # the parts of an address are no names above it
        ("[::1]:*", "[::1]:8080", True),
    ],
)
def test_which_hosts_a_name_is_for(name: str, host: str, expected: bool) -> None:
    assert holds(name, host) is expected


def test_the_narrowest_name_comes_first() -> None:
    assert names_for("a.b.c:1") == ("a.b.c:*", "*.a.b.c", "*.b.c", "*.c")


@pytest.mark.parametrize(
    ("row", "blocked", "said"),
    [
        (Blocked("a.example", True, False), True, "Blocked: a.example"),
        (Blocked("a.example", True, True), True, "Blocked as before: a.example"),
        (Blocked("a.example", True, True), False, "Unblocked: a.example"),
        (Blocked("a.example", True, False), False, "Was not blocked: a.example"),
        (
            Blocked("b.example", False, False),
            True,
            "Blocked: b.example, which the graph did not know yet",
        ),
        (
            Blocked("*.c.example", False, False, 3),
            True,
            "Blocked: *.c.example, 3 known hosts of it, and those to come",
        ),
        (
            Blocked("*.c.example", True, True, 1),
            False,
            "Unblocked: *.c.example, 1 known host of it",
        ),
    ],
)
def test_what_is_said_of_a_block(row: Blocked, blocked: bool, said: str) -> None:
    assert _told(row, blocked=blocked) == said
