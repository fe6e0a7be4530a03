"""Feeds, sitemaps and dirty XML. Right values: the formats' specifications, public bug reports."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from graphcrawl.models import Fetched
from graphcrawl.parse import MAX_LINKS, Document, parse
from graphcrawl.parse.xml import MAX_INFLATED_BYTES, inflate, local_name, parse_xml, root_name

FEED = "http://feed.example/feeds/all.xml"


def read(body: str | bytes, charset: str = "", url: str = FEED) -> Document:
    data = body.encode() if isinstance(body, str) else body
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return parse(Fetched(url, 200, data, "text/xml", charset, now, 0.1))


def links(document: Document) -> list[tuple[str, str]]:
    return [(link.url, link.anchor) for link in document.links]


def parsed(text: str) -> etree._Element:
    root = parse_xml(text)
    assert root is not None
    return root


# --- links --------------------------------------------------------------------------------------


def test_rss():
    document = read(
        """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>
        <link>http://feed.example/</link><language>de-at</language>
        <atom:link rel="self" href="http://feed.example/feeds/other.xml"/>
        <image><url>http://feed.example/logo</url><link>http://feed.example/img</link></image>
        <item><title>A &lt;b&gt;bold&lt;/b&gt; word</title><link> /a </link>
          <guid isPermaLink="false">http://feed.example/guid</guid>
          <description><![CDATA[<p>Some <b>te</b>xt &amp; more</p><script>job</script>
          ]]></description></item>
        <item><title>B</title><guid>http://feed.example/b</guid></item></channel></rss>"""
    )
    assert links(document) == [
        ("http://feed.example/", "News"),
        ("http://feed.example/a", "A bold word"),
        ("http://feed.example/b", "B"),
    ]
    assert (document.title, document.language) == ("News", "de")
    assert "Some text & more" in document.text.split("\n")


@pytest.mark.parametrize(("root", "kept"), [("urlset", 50_000), ("sitemapindex", 50_000)])
def test_a_sitemap_keeps_as_many_urls_as_it_may_have(root: str, kept: int) -> None:
    locations = "".join(f"<u><loc>http://x.at/{n}</loc></u>" for n in range(50_002))
    document = read(f"<?xml version='1.0'?><{root}>{locations}</{root}>")
    assert (len(document.links), document.links_over_limit) == (kept, 50_002 - kept)


def test_of_a_long_feed_the_links_of_its_beginning_are_kept() -> None:
    items = "".join(f"<item><link>http://x.at/{n}</link></item>" for n in range(50_002))
    document = read(f"<rss><channel>{items}</channel></rss>")
    assert len(document.links) == MAX_LINKS
    assert 0 < document.links_over_limit < 50_002 - MAX_LINKS


def test_atom_with_its_own_base():
    document = read(
        """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"
        xml:base="http://base.example/x/">
        <title>T</title><link rel="self" href="self"/><link rel="hub" href="hub"/>
        <entry><title>E</title><link href="e"/><link rel="enclosure" href="f.mp3"/>
        <link rel="replies" href="r"/></entry></feed>"""
    )
    assert links(document) == [("http://base.example/x/e", "E")]
    assert document.language == "en"


def test_entries_have_bases_of_their_own():
    """Source: RFC 4287 §2; rometools/rome #38 (an entry's base is relative to the feed's)."""
    document = read(
        """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><link href="home"/>
        <entry xml:base="When/12/"><link href="Story"/><content xml:base="http://else.example/">
        </content></entry><entry><link href="http://far.example/x"/></entry></feed>"""
    )
    assert [url for url, _ in links(document)] == [
        "http://feed.example/blog/home",
        "http://feed.example/blog/When/12/Story",
        "http://far.example/x",
    ]


@pytest.mark.parametrize(
    "noise", ["", "\n\n ", "Warning: x in y on line 3<br>\n", "<br />\n<b>Warning</b>: x<br />\n"]
)
def test_what_programs_print_before_a_document_is_passed_over(noise: str):
    """Source: crawler-commons #144; warnings of PHP stand before feeds and sitemaps."""
    body = f"{noise}<?xml version='1.0'?><urlset><url><loc>http://a.example/1</loc></url></urlset>"
    assert [url for url, _ in links(read(body))] == ["http://a.example/1"]


def test_blanks_in_addresses():
    document = read(
        "<urlset xmlns:video='v'><url><loc> http://a.example/b c </loc></url>"
        "<url><loc>http://a.example/1\n http://a.example/2</loc></url><url><loc>b c</loc>"
        "<video:video><video:player_loc>http://a.example/player</video:player_loc></video:video></url></urlset>"
    )
    assert [url for url, _ in links(document)] == ["http://a.example/b%20c"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("\ufeffhttp://a.example/1\r\n\r\n  HTTPS://a.example/2 \r\n", "list"),
        ("http://a.example/1", "list"),
        ("See http://a.example/1", "text"),
        ("http://a.example/1\nand more", "text"),
        ("\n", "text"),
    ],
)
def test_a_list_of_urls_is_a_sitemap(body: str, kind: str):
    """Source: sitemaps.org, text file."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    document = parse(Fetched(FEED, 200, body.encode(), "text/plain", "", now, 0.1))
    assert document.kind == kind
    assert bool(document.links) == (kind == "list")
    many = "".join(f"http://a.example/{n}\n" for n in range(MAX_LINKS + 1))
    assert (
        len(parse(Fetched(FEED, 200, many.encode(), "text/plain", "", now, 0.1)).links) > MAX_LINKS
    )


def test_sitemaps():
    document = read(
        """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>http://feed.example/1?a=1&amp;b=2</loc>
        <image:image><image:loc>http://feed.example/picture</image:loc></image:image>
        <xhtml:link rel="alternate" hreflang="de" href="http://feed.example/de/1"/></url></urlset>"""
    )
    assert links(document) == [
        ("http://feed.example/1?a=1&b=2", ""),
        ("http://feed.example/de/1", ""),
    ]


# --- dirt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("R&D Engineer", "R&D Engineer"),
        ("R&amp;D", "R&D"),
        ("?a=1&b=2", "?a=1&b=2"),
        ("Caf&eacute;&nbsp;x", "Café\xa0x"),
        ("&unknown; &;", "&unknown; &;"),
        ("&#233;&#xe9;", "éé"),
        ("a&#11;b&#xFFFF;c&#0;d&#9999999;", "abcd"),  # no characters of XML
        ("a\x0bb\x00c", "abc"),
        ("<![CDATA[R&D &amp; <b>]]>", "R&D &amp; <b>"),
        ("1 < 2", "1 < 2"),
        ("&lt;b&gt;", "<b>"),
    ],
)
def test_text_is_mended(written, meant):
    assert "".join(parsed(f"<r><t>{written}</t><u>R&amp;D</u></r>")[0].itertext()) == meant


def test_a_broken_record_costs_no_other():
    root = parsed(
        "<r><j><t>one <b>open</t><u>1</u></j></x><j><t>R&amp;D</t><u>2</j>"
        "<j a='1 & 2'><t>3</t></j></r>"
    )
    assert [local_name(child) for child in root] == ["j", "j", "j"]
    assert root.findtext("j[2]/t") == "R&D"
    assert root.findtext("j[3]/t") == "3"


def test_what_is_cut_short_is_not_guessed():
    root = parsed("<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.exam")
    assert [element.text for element in root.iter("loc")] == ["http://a.example/1", None]


def test_no_document_declares_anything():
    bomb = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;&b;</r>'
    assert parsed(bomb).text == "&b;&b;"
    outside = '<!DOCTYPE r SYSTEM "http://x.example/dtd" [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    assert parsed(f"{outside}<r>&f;</r>").text == "&f;"


def test_prolog_is_read_past():
    assert (
        root_name(" \n<?xml version='1.0'?><!-- <no/> --><!DOCTYPE x [<!ELEMENT y ANY>]><a:b>")
        == "a:b"
    )
    assert root_name("words") == root_name("") == root_name("<!-- only -->") == ""
    assert parse_xml("<!-- only -->") is None


# --- gzip ---------------------------------------------------------------------------------------


def test_gzip_with_garbage_behind_or_cut_short():
    body = b"<a>" + b"x" * 10_000 + b"</a>"
    packed = gzip.compress(body)
    assert inflate(packed) == inflate(packed + b"<!-- cached -->") == inflate(body) == body
    assert inflate(packed + packed) == body + body  # a series of members is one file
    half = inflate(gzip.compress(bytes(range(256)) * 400)[:-20])
    assert half and (bytes(range(256)) * 400).startswith(half)
    assert inflate(b"\x1f\x8b broken") == b""


def test_a_bomb_stops_at_the_cap():
    assert len(inflate(gzip.compress(bytes(MAX_INFLATED_BYTES + 10**6)))) == MAX_INFLATED_BYTES


# --- peers --------------------------------------------------------------------------------------


def test_cases_from_bug_reports(shared: Path):
    plain = shared / "cases/23-feed-text-xml-without-charset"
    found = [
        link
        for name, header in [("feed.xml", ""), ("feed8.xml", "utf-8"), ("nbsp.xml", "")]
        for link in links(read((plain / name).read_bytes(), header))
        if "/stelle/" in link[0]
    ]
    assert found == [
        ("http://feed.example/stelle/1", "Bäcker für Nippes"),
        ("http://feed.example/stelle/2", "Müller’s Gärtner"),
        ("http://feed.example/stelle/3", "Käthe sucht Hilfe"),
        ("http://feed.example/stelle/4", "Koch m/w/d"),
        ("http://feed.example/stelle/5", "Fahrer"),
    ]
    dirty = read((shared / "cases/35-jobfeed-dirty-xml/jobs.xml").read_bytes())
    assert links(dirty) == [
        ("http://jobs.example/j/1?a=1&b=2", "R&D Engineer"),
        ("http://jobs.example/j/2?a=1&b=2", "Koch & Beikoch"),
        ("http://jobs.example/j/3", "Caféleitung m/w/d"),
        ("http://jobs.example/j/4", "Fahrer"),
        ("http://jobs.example/j/5", "Kaputt"),
        ("http://jobs.example/j/6", "Bote Süd"),
        ("http://jobs.example/j/1?b=2&a=1", "R&D Engineer"),
    ]
    packed = shared / "cases/19-sitemap-gz-trailing-garbage"
    whole = read((packed / "sitemap.xml.gz").read_bytes())
    assert [url for url, _ in links(whole)] == [f"http://sm.example/s{i}" for i in (1, 2, 3)]
    cut = read((packed / "sitemap2.xml.gz").read_bytes())
    assert {url for url, _ in links(cut)} <= {f"http://sm.example/s{i}" for i in (4, 5, 6)}
    index = shared / "cases/21-sitemap-circles/index.xml"
    circle = read(index.read_bytes(), url="http://circle.example/index.xml")
    assert [url.rpartition("/")[2] for url, _ in links(circle)] == [
        "child1.xml", "child2.xml", "INDEX2.xml",
    ]  # fmt: skip


def test_feedparser_suite_is_read_as_xml(shared: Path):
    files = sorted((shared / "peer-suites/feedparser/tests").rglob("*.xml"))
    assert len(files) > 1800
    unread = [
        file.name
        for file in files
        if (document := read(file.read_bytes())).kind != "xml" or document.tree is None
    ]
    # UTF-32, which the web does not speak; a document of comments; an XHTML page
    others = {"rss_empty_document.xml", "always_strip_doctype.xml"}
    assert {name for name in unread if not name.startswith(("utf-32", "utf_32"))} == others


@settings(max_examples=300)
@given(st.lists(st.sampled_from([
    "<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "<link>", "</link>", "<", ">", "&", "&amp;", "&x;",
    "&#0;", "<![CDATA[", "]]>", "<!--", "-->", "<?p", "?>", "text", "'", '"', "\0", "\ud800", "p:q",
    "<p:q>", "<link href='u'/>", "<!DOCTYPE a [", "]>",
]), max_size=30))  # fmt: skip
def test_no_xml_fails(pieces):
    text = "<r>" + "".join(pieces)
    assert parsed(text).tag == "r"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_text_survives_when_written_properly(text):
    root = etree.Element("r")
    try:
        etree.SubElement(root, "t").text = text
    except ValueError:
        return  # no text for XML at all
    written = etree.tostring(root, encoding="unicode")
    assert (parsed(written)[0].text or "") == (etree.fromstring(written)[0].text or "")
