"""Which URL a page names as its canonical form. Right values: RFC 6596, RFC 8288, HTML."""

from datetime import UTC, datetime

import pytest

from graphcrawl.models import Fetched
from graphcrawl.parse import parse
from graphcrawl.parse.canonical import header_canonicals
from graphcrawl.readers import canonical_link

URL = "http://h.example/job/a?x=1"


def named(markup: str, header: str = "", url: str = URL) -> str:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    body = markup.encode()
    return parse(Fetched(url, 200, body, "text/html", "", now, 0.1, link_header=header)).canonical


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<link rel="canonical" href="/job/a">', "http://h.example/job/a"),
        ("<link rel='CANONICAL alternate' href=' b '>", "http://h.example/job/b"),
        ('<base href="http://g.example/x/"><link rel=canonical href=c>', "http://g.example/x/c"),
        ('<link rel="canonical" href="/job/a?x=1">', ""),  # itself
        ('<link rel="canonical" href="?x=1">', ""),
        ('<link rel="canonical" href="">', ""),
        ('<link rel="canonical" href="#top">', ""),
        ('<link rel="canonical" href="/#!/job/1">', ""),  # a part of a page
        ('<link rel="canonical" href="mailto:a@b.example">', ""),
        ('<link rel="canonical" href="/1"><link rel="canonical" href="/2">', ""),
        ('<link rel="canonical" href="/1"><link rel="canonical" href="/1#x">', ""),
        ('<link rel="canonical" href="/1"><link rel=canonical href="http://h.example/1">',
         "http://h.example/1"),
        ('<noscript><img src="p.gif"></noscript><link rel=canonical href=/1>', "http://h.example/1"),
        ('<meta property="og:url" content="http://h.example/og">', ""),
    ],
)  # fmt: skip
def test_what_the_head_says(head: str, expected: str) -> None:
    assert named(f"<html><head><title>t</title>{head}</head><body>text</body></html>") == expected


def test_the_body_says_nothing() -> None:
    body = '<link rel="canonical" href="/"><svg><link rel="canonical" href="/"/></svg>'
    assert named(f"<html><head></head><body><p>x</p>{body}</body></html>") == ""


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ('<http://h.example/c>; rel="canonical"', ["http://h.example/c"]),
        ("</c>;rel=canonical", ["/c"]),
        ('</a>; rel="next", </c,d>; title="x, \\"y\\""; rel="start canonical"', ["/c,d"]),
        ('</c>; rel="next"; rel="canonical"', []),  # the first rel counts
        ('</c>; rel="canonical"; anchor="/other"', []),
        ("</c>; REL = Canonical", ["/c"]),
        ("garbage <", []),
        ("<" * 60_000, []),
        ("</c>" + ";a" * 30_000, []),
    ],
)
def test_what_a_header_says(header: str, expected: list[str]) -> None:
    assert header_canonicals(header) == expected


def test_header_and_head_must_agree() -> None:
    page = "<head><link rel=canonical href=/1></head>"
    assert named(page, "</1>; rel=canonical") == "http://h.example/1"
    assert named(page, "</2>; rel=canonical") == ""
    assert named("", "<c>; rel=canonical") == "http://h.example/job/c"


def test_the_canonical_form_is_a_link_of_the_page() -> None:
    link = canonical_link("http://h.example/1", ())
    assert link is not None
    assert (link.url, link.rel, link.host) == ("http://h.example/1", "canonical", "h.example")
    assert canonical_link("http://h.example/1", [link]) is None
    assert canonical_link("", ()) is None
