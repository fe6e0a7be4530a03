"""Wishes about pages: the forms of Google's robots meta tag, TDMRep, Content-Signal, AIPREF."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphcrawl.models import Fetched, Page, Reason
from graphcrawl.parse.wishes import read_wishes
from graphcrawl.readers import ReadOptions, read_page
from graphcrawl.scoring.reward import load_rules
from graphcrawl.urls import Scope

NOW = datetime(2026, 1, 1, tzinfo=UTC)
URL = "http://www.acme.example/about"
OPTIONS = ReadOptions(load_rules("jobs"), Scope.of([URL], "domain"), "all")


def metas(*contents: str) -> tuple[str, ...]:
    return read_wishes([("robots", text) for text in contents], ()).all


def headers(*values: str, name: str = "x-robots-tag") -> tuple[str, ...]:
    return read_wishes((), [(name, value) for value in values]).all


@pytest.mark.parametrize(
    ("content", "wishes"),
    [
        ("noindex", {"noindex"}),
        ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
        ("noindex,nofollow", {"noindex", "nofollow"}),
        ("noindex nofollow", {"noindex", "nofollow"}),
        ("noindex; nofollow", {"noindex", "nofollow"}),
        ("none", {"noindex", "nofollow"}),
        ("index, follow", set()),
        ("all", set()),
        ("follow, noindex", {"noindex"}),
        ("noarchive", {"noarchive"}),
        ("nocache", {"noarchive"}),
        ("nosnippet, noimageindex, notranslate", {"nosnippet", "noimageindex", "notranslate"}),
        ("max-snippet: 0", {"nosnippet"}),
        ("max-snippet:-1, max-image-preview:large, max-video-preview:-1", set()),
        ("noai, noimageai", {"noai", "noimageai"}),
        ("noindexing, donofollow", set()),
        ("", set()),
    ],
)
def test_directives(content: str, wishes: set[str]) -> None:
    assert set(metas(content)) == wishes
    assert set(headers(content)) == wishes


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("2025-06-25T15:00:00+02:00", "2025-06-25T13:00:00Z"),
        ("2025-06-25", "2025-06-25T00:00:00Z"),
        ("25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),  # developers.google.com
        ("Friday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"),
        ("Fri, 25 Jun 2010 15:00:00 GMT", "2010-06-25T15:00:00Z"),
        ("25-Jun-2010 15:00:00 EST", "2010-06-25T20:00:00Z"),
    ],
)
@pytest.mark.parametrize("more", ["{}", "{}, noindex", "noindex, {}"])
def test_unavailable_after(text: str, until: str, more: str) -> None:
    value = more.format(f"unavailable_after: {text}")
    wishes = {f"unavailable_after={until}"} | ({"noindex"} if "noindex" in more else set())
    assert set(metas(value)) == wishes
    assert set(headers(value)) == wishes


@pytest.mark.parametrize("text", ["never", "99 Foo 2010", "", "0000-01-01T00:00:00+05:00"])
def test_no_time_is_no_wish(text: str) -> None:
    assert metas(f"unavailable_after: {text}") == ()


@pytest.mark.parametrize(
    ("values", "wishes"),
    [
        (["googlebot: noindex"], set()),
        (["graphcrawl: noindex"], {"noindex"}),
        (["GraphCrawl:noindex"], {"noindex"}),
        (["*: noindex"], {"noindex"}),
        (["googlebot: noindex, nofollow"], set()),  # the name holds for all that follows
        (["googlebot: noindex, graphcrawl: nofollow"], {"nofollow"}),
        (["noarchive, otherbot: noindex, nofollow"], {"noarchive"}),
        (["googlebot: nofollow", "noindex"], {"noindex"}),  # two headers
        (["otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"], set()),
    ],
)
def test_x_robots_tag_for_one_agent(values: list[str], wishes: set[str]) -> None:
    assert set(headers(*values)) == wishes


def test_meta_for_one_agent() -> None:
    found = read_wishes([("graphcrawl", "noarchive"), ("robots", "noindex")], ())
    assert found.all == ("noarchive", "noindex")


@pytest.mark.parametrize(
    ("name", "value", "wishes", "reserved"),
    [
        ("tdm-reservation", "1", {"tdm-reserved"}, True),
        ("tdm-reservation", "0", set(), False),
        ("tdm-policy", "https://h.example/p.json", {"tdm-policy=https://h.example/p.json"}, False),
        ("content-signal", "search=yes, ai-train=no", {"ai-train=no"}, True),
        ("content-signal", "ai-input=no,search=no", {"ai-input=no", "search=no"}, True),
        ("content-signal", "ai-train=yes", set(), False),
        ("content-signal", "ai-train=nothing", set(), False),
        ("content-usage", "train-ai=n", {"train-ai=n"}, True),
        ("content-usage", 'bots=y, TRAIN-AI="n"', {"train-ai=n"}, True),
        ("content-usage", "search=n", {"search=n"}, False),
    ],
)
def test_reserved_rights(name: str, value: str, wishes: set[str], reserved: bool) -> None:
    found = read_wishes((), [(name, value)])
    assert (set(found.all), found.reserved) == (wishes, reserved)


def test_the_strictest_counts_and_nothing_is_endless() -> None:
    found = read_wishes(
        [("robots", "unavailable_after: 2027-01-01, index"), ("robots", "x," * 10**6)],
        [("x-robots-tag", "unavailable_after: 2026-02-01")] * 2,
    )
    assert found.all == ("unavailable_after=2026-02-01T00:00:00Z",)
    assert found.keeps_text(NOW)
    assert not found.keeps_text(datetime(2026, 2, 1, tzinfo=UTC))


# --- obeyed by the readers ------------------------------------------------------------------------


def read(
    body: str, *lines: tuple[str, str], options: ReadOptions = OPTIONS, kind: str = "html"
) -> Page:
    fetched = Fetched(URL, 200, body.encode(), f"text/{kind}", "utf-8", NOW, 0.1, wish_lines=lines)
    return read_page(fetched, 0, options)


BODY = "<p>We hire. <a href='/a'>one</a> <a href='https://acme.taleo.net/x'>two</a>"


@pytest.mark.parametrize(
    ("meta", "text", "links"),
    [
        ("", True, 2),
        ("index, follow", True, 2),
        ("nofollow", True, 0),
        ("noindex", False, 2),
        ("noarchive", False, 2),
        ("nosnippet", False, 2),
        ("none", False, 0),
        ("noai", True, 2),
        ("unavailable_after: 2020-01-01", False, 2),
        ("unavailable_after: 2999-01-01", True, 2),
    ],
)
def test_what_follows_from_a_wish(meta: str, text: bool, links: int) -> None:
    page = read(f"<head><META NAME=' Robots ' content='{meta}'></head>{BODY}")
    assert (page.text is not None, page.visible is not None) == (text, text)
    assert page.text_refused is not text
    assert len(page.links) == links
    assert page.refused.get(Reason.NOFOLLOW, 0) == 2 - links
    assert any(grant.place == "links" for grant in page.grants) is bool(links)  # taleo
    assert page.reserved is (meta == "noai")


def test_wishes_of_headers_and_metas_join() -> None:
    page = read(f"<meta name=robots content=noarchive>{BODY}", ("x-robots-tag", "nofollow"))
    assert page.wishes == ("noarchive", "nofollow")
    assert page.links == ()


POSTING = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "JobPosting", '
    '"title": "Nurse", "description": "Care", "datePosted": "2026-01-01"}</script>'
)
FEED = "<source><job><title>Nurse</title><url>http://h.example/1</url></job></source>"


def test_a_page_not_to_be_indexed_states_no_jobs_but_a_feed_does() -> None:
    """Many sites send noindex with all their feeds and sitemaps, and mean search results."""
    assert len(read(POSTING).postings) == 1
    assert read(f"<meta name=robots content=noindex>{POSTING}").postings == ()
    noindex = ("x-robots-tag", "noindex, follow")
    feed = read(FEED, noindex, kind="xml")
    assert feed.feed is not None
    assert (len(feed.postings), feed.text) == (1, None)


@pytest.mark.parametrize("rel", ["nofollow", "UGC", "noopener sponsored", "nofollow,noopener"])
def test_links_that_the_page_does_not_vouch_for(rel: str) -> None:
    body = f"<p><a href='/a' rel='{rel}'>one</a> <a href='/b'>two</a>"
    lowered = read(body)
    assert [link.weight for link in lowered.links] == [0.5, 1.0]
    skipped = read(body, options=replace(OPTIONS, nofollow="skip"))
    assert [link.url[-2:] for link in skipped.links] == ["/b"]
    assert skipped.refused == {"nofollow": 1}


def test_one_link_that_is_vouched_for_vouches_for_its_target() -> None:
    [link] = read("<p><a href='/a' rel=nofollow>one</a> <a href='/a'>two</a>").links
    assert (link.weight, link.links, link.rel, link.anchor) == (1.0, 2, "", "one")


def test_wishes_to_another_name_of_ours_are_obeyed_in_place_of_those_to_graphcrawl():
    body = b"<meta name=MyBot content=nofollow><meta name=graphcrawl content=noarchive><a href=/x>"
    lines = (("x-robots-tag", "MYBOT: noindex"), ("x-robots-tag", "graphcrawl: nosnippet"))
    page = Fetched(URL, 200, body, "text/html", "", NOW, 0.0, wish_lines=lines)
    ours = read_page(page, 0, replace(OPTIONS, agent="mybot"))
    assert (ours.wishes, ours.links) == (("nofollow", "noindex"), ())
    assert read_page(page, 0, OPTIONS).wishes == ("noarchive", "nosnippet")
