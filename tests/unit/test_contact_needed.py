"""Without a contact no public host is asked, however the crawl comes to it."""

import logging

import pytest

from graphcrawl.crawl.manners import Anonymous, require_contact, warn_of_plain_http
from graphcrawl.errors import ContactError
from graphcrawl.models import Reason
from graphcrawl.resolve import parse_resolve
from graphcrawl.robots import Verdict

LOCAL = [parse_resolve("docs.example:80:127.0.0.1")]


class Open:
    """Allows everything, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def check(self, url: str) -> Verdict:
        self.asked.append(url)
        return Verdict(allowed=True)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://10.1.2.3:8080/a", "http://[::1]/", "http://docs.example/"]
)
async def test_private_hosts_are_asked(url: str) -> None:
    robots = Open()
    assert (await Anonymous(robots, LOCAL).check(url)).allowed
    assert robots.asked == [url]


async def test_a_public_host_is_left_out_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    robots = Open()
    gate = Anonymous(robots, LOCAL)
    with caplog.at_level(logging.WARNING, "graphcrawl"):
        verdicts = [await gate.check(url) for url in ("https://a.example/", "https://a.example/b")]
    assert [(v.allowed, v.reason, v.retry_at) for v in verdicts] == [
        (False, Reason.CONTACT, None)
    ] * 2
    assert robots.asked == []  # not even its robots.txt
    assert [record.message for record in caplog.records] == [
        "a.example is public and is left out: this crawl has no contact"
    ]


def test_seeds_need_a_contact_only_where_they_are_public() -> None:
    require_contact(["http://127.0.0.1/", "http://docs.example/"], None, LOCAL)
    require_contact(["https://a.example/"], "me@a.example")
    with pytest.raises(ContactError, match=r"\(a\.example\)"):
        require_contact(["http://127.0.0.1/", "https://a.example/"], None)


def test_credentials_that_plain_http_will_not_get_are_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seeds = [f"{s}://{h}.example/" for s in ("http", "https") for h in ("a", "b", "c")]
    with caplog.at_level(logging.WARNING, "graphcrawl"):
        warn_of_plain_http(seeds[3:], {"a.example"})  # https
        warn_of_plain_http(["http://a.example:8080/"], {"a.example:8080"})
        assert caplog.records == []
        warn_of_plain_http(seeds, {"a.example", "b.example", "b.example:80"})
    assert [record.message for record in caplog.records] == [
        "a.example gets its credentials over https alone; "
        'if plain http may do: [hosts."a.example:80"]'
    ]
