"""Parameters that name no page. Right values: the list as documented, and sessions as they are."""

import asyncio

import pytest

from graphcrawl import tracking
from graphcrawl.config import load_settings
from graphcrawl.errors import SettingsError
from graphcrawl.urls import canonical

HEX = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("entries", "query", "left"),
    [
        (tracking.TRACKING, "utm_source=n&a=1&fbclid=x&b", "?a=1&b"),
        (tracking.TRACKING, f"sid={HEX}&a=1", "?a=1"),
        (tracking.TRACKING, f"sid={HEX[:24]}", f"?sid={HEX[:24]}"),  # such as a database's own id
        (tracking.TRACKING, "utmost=1&ref=x&cid=2", "?utmost=1&ref=x&cid=2"),
        (("ref", "X_*"), "ref=a&x_1=b&utm_source=c", "?utm_source=c"),
        (("page=hex",), f"page=2&PAGE={HEX}", "?page=2"),
        ((), "utm_source=n", "?utm_source=n"),
    ],
)
def test_the_list_says_what_is_dropped(entries, query, left):
    async def inside() -> str | None:  # a context of its own
        tracking.use(entries)
        return canonical(f"http://h.example/x?{query}")

    assert asyncio.run(inside()) == f"http://h.example/x{left}"
    assert tracking.current().drops("utm_source=n")  # elsewhere nothing changed


@pytest.mark.parametrize(("entries", "path"), [(tracking.TRACKING, "/x"), ((), "/x;jsessionid=1A")])
def test_sessions_in_paths_follow_the_list(entries, path):
    async def inside() -> str | None:
        tracking.use(entries)
        return canonical("http://h.example/x;jsessionid=1A")

    assert asyncio.run(inside()) == f"http://h.example{path}"


@pytest.mark.parametrize("entry", ["", "a b", "a=b", "a&b", "*", "?x", "a**", "=hex"])
def test_what_is_no_parameter_is_refused(entry):
    with pytest.raises(SettingsError, match="is no parameter"):
        load_settings(crawl={"tracking": (entry,)})
