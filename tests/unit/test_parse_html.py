"""HTML → text and links. Right values: HTML Living Standard, bug reports, a second parser."""

import gzip
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphcrawl.models import Fetched
from graphcrawl.parse import Document, link_weight, parse
from graphcrawl.urls import canonical

PAGE = "http://site.example/dir/page.html"


def fetched(
    body: str | bytes, content_type: str = "text/html", charset: str = "", url: str = PAGE
) -> Fetched:
    data = body.encode() if isinstance(body, str) else body
    return Fetched(url, 200, data, content_type, charset, datetime(2026, 1, 1, tzinfo=UTC), 0.1)


def read(body: str | bytes, content_type: str = "text/html", charset: str = "") -> Document:
    return parse(fetched(body, content_type, charset))


def anchors(document: Document) -> list[tuple[str, str]]:
    return [(link.url, link.anchor) for link in document.links]


def targets(document: Document) -> list[str]:
    return [link.url for link in document.links]


# --- text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("a<br>b", "a\nb"),
        ("<table><tr><td>job<td>hr</table>", "job\nhr"),
        ("<b>Job</b>son", "Jobson"),  # inline elements do not part words
        ("<b>J</b>ob <i>offer</i>", "Job offer"),
        ("Job&shy;son", "Jobson"),
        ("human\n   resources&nbsp;department", "human resources department"),
        ("<script>job</script><style>job{}</style>x", "x"),
        ("<body><noscript>job</noscript><template>job</template>x", "x"),
        ("<!-- job -->x<iframe>job</iframe>", "x"),
        ("<p hidden>job</p><div hidden><b>job</b></div>x", "x"),
        ("<textarea>typed</textarea><select><option>A<option>B</select>", "typed\nA\nB"),
        ("<p>x<script>1</script>y", "xy"),
        ("<div>a<p>b</p>c</div>", "a\nb\nc"),
        ("<svg><title>icon</title><text>drawn</text></svg>", "drawn"),
        ("", ""),
        ("<frameset><frame src=/f></frameset>", ""),
        ("<p>nul\0 inside", "nul inside"),
        ("<head><noscript>job</noscript></head><body>x", "x"),
    ],
)
def test_visible_text_and_nothing_else(markup, text):
    assert read(markup).text == text


def test_title_is_the_page_s_own():
    assert read("<svg><title>icon</title></svg><title> A \n b </title>").title == "A b"
    assert read("<p>x<h1>Heading <b>one</b></h1>").title == "Heading one"
    assert read("<title></title>").title == ""


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<html lang=de-AT>", "de"),
        ("<html lang=EN>", "en"),
        ('<html xml:lang="fr">', "fr"),
        ("<meta http-equiv=Content-Language content='it, en'>", "it"),
        ("<html lang='x'>", ""),
        ("<html lang='german'>", ""),
        ("<p>", ""),
    ],
)
def test_language_is_what_the_page_declares(markup, language):
    assert read(markup).language == language


def test_deep_nesting_is_no_danger():
    document = read("<div>" * 5_000 + "<a href=/x>deep</a>")
    assert targets(document) == ["http://site.example/x"]


# --- links --------------------------------------------------------------------------------------


def test_each_kind_of_link_is_found_in_page_order():
    document = read(
        """<head><meta http-equiv=refresh content="5; URL='/refreshed'">
        <link rel="alternate" type="application/rss+xml; charset=utf-8" title="Jobs" href=/feed>
        <link rel=canonical href=/other><link rel=stylesheet href=/s><link rel=next href=/2></head>
        <a href="a">A</a> <map><area href=/area alt=Area></map>
        <iframe src=/frame title=Frame></iframe><noscript><a href=/plain>P</a></noscript>
        <a name=top>no</a> <a href="mailto:a@b">m</a> <a href="javascript:void(0)">j</a>
        <template><a href=/never>n</a></template>"""
    )
    found = [(url.removeprefix("http://site.example"), anchor) for url, anchor in anchors(document)]
    assert found == [
        ("/refreshed", ""),
        ("/feed", "Jobs"),
        ("/2", ""),
        ("/dir/a", "A"),
        ("/area", "Area"),
        ("/frame", "Frame"),
        ("/plain", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "found"),
    [
        # HTML Living Standard, shared declarative refresh steps
        ("0; url=/x", True),
        ("0;URL='/x'", True),
        ("5 /x", True),
        ("1.5,/x", True),
        ("300", False),
        ("", False),
        ("soon; url=/x", False),
    ],
)
def test_meta_refresh(content, found):
    document = read(f'<meta http-equiv="Refresh" content="{content}">')
    assert targets(document) == (["http://site.example/x"] if found else [])


@pytest.mark.parametrize(
    ("content", "to"),
    [
        ("0;url=/x", "/x"),
        ("3; URL='/a b'", "/a%20b"),
        (" 1.5 , /x;y,z", "/x;y,z"),
        ('0;url="/q"x', "/q"),
        ("4;url=/x", ""),  # time to read: a link
        ("0;url=page.html", ""),  # loads itself again
        ("0;url=javascript:x", ""),
        ("0", ""),
    ],
)
def test_a_quick_refresh_sends_on(content, to):
    tag = f"<meta http-equiv=refresh content='{content.replace(chr(39), '&#39;')}'>"
    assert read(tag).refresh == (to and f"http://site.example{to}")
    assert read(f"<head><noscript>{tag}</noscript></head>").refresh == ""  # only without scripts


def test_a_refresh_header_sends_on_as_well():
    body = replace(fetched("<p>x</p>"), refresh_header="0; url=b?x=1")
    assert parse(body).refresh == "http://site.example/dir/b?x=1"
    assert parse(replace(body, refresh_header="60;url=/b")).refresh == ""
    assert parse(replace(body, body=b"<meta http-equiv=refresh content='0;/c'>")).refresh.endswith(
        "/c"
    )


def test_pages_of_a_series_are_linked_from_the_head():
    document = read(
        "<link rel=next href=/2><link rel='PREV' href=/0><link rel=preload href=/x>"
        "<link rel='next nofollow' href=/3>"
    )
    assert targets(document) == [f"http://site.example/{n}" for n in (2, 0, 3)]


def test_links_of_frames_and_of_drawings():
    document = read("<frameset><frame src=/f><noframes><a href=/n>n</a></noframes></frameset>")
    assert targets(document) == ["http://site.example/f", "http://site.example/n"]
    assert targets(read("<svg><a xlink:href='/s'></a></svg>")) == ["http://site.example/s"]


@pytest.mark.parametrize(
    ("charset", "text", "query"),
    [
        # WPT, url/resources/percent-encoding.json
        ("windows-1252", "†", "%86"),
        ("euc-kr", "†", "%A2%D3"),
        ("shift_jis", "−", "%81|"),
        ("iso-8859-2", "¢", "%26%23162%3B"),
        ("utf-8", "†", "%E2%80%A0"),
        ("windows-1251", "тест&é", "%F2%E5%F1%F2&%26%23233%3B"),
    ],
)
def test_queries_are_in_the_encoding_of_their_page(charset, text, query):
    references = "".join(f"&#{ord(char)};" for char in text.replace("&", "\0")).replace("&#0;", "&")
    document = read(
        f"<meta charset={charset}><a href='/ü?q={references}#é'>x</a>".encode(
            "ascii", "xmlcharrefreplace"
        )
    )
    assert targets(document) == [f"http://site.example/%C3%BC?q={query}"]


def test_links_to_one_target_are_one_link():
    document = read(
        "<a href=/x>first</a><a href='/x#part' rel=nofollow>second</a>"
        "<a href=//site.example/x>first</a>" + "".join(f"<a href=/x>more {i}</a>" for i in range(9))
    )
    (link,) = document.links
    assert link.anchor == "first"
    assert link.anchors == ("second", "more 0", "more 1", "more 2")
    assert (link.links, link.weight, link.rel, link.raw) == (12, 1.0, "", "/x")


def test_self_links_are_dropped_but_their_texts_count():
    document = read("<a href='#top'>up</a><a href=page.html>me</a><a href=''>also</a>")
    assert document.links == ()
    assert document.anchors == "up\nme\nalso"


def test_anchor_is_text_else_the_picture_s():
    document = read(
        "<a href=/1><img alt='The jobs'></a><a href=/2><p>in\n <b>block</b></p></a>"
        f"<a href=/3>{'x' * 999}</a><a href=/4></a>"
    )
    assert [text for _, text in anchors(document)] == ["The jobs", "in block", "x" * 200, ""]


@pytest.mark.parametrize(
    ("markup", "position"),
    [
        ("<nav>{}</nav>", "nav"),
        ("<div role=navigation><ul><li>{}</ul></div>", "nav"),
        ("<header><p>{}</header>", "header"),
        ("<article><header>{}</header></article>", "body"),  # an article's own headline
        ("<main><footer>{}</footer></main>", "body"),
        ("<header><nav>{}</nav></header>", "nav"),
        ("<aside>{}</aside>", "aside"),
        ("<footer></footer>{}", "body"),
        ("<nav></nav><div>{}", "body"),
    ],
)
def test_position_is_the_region_of_the_page(markup, position):
    (link,) = read(markup.format("<a href=/x>x</a>")).links
    assert link.position == position
    assert link.weight == (1.0 if position == "body" else 0.5)


def test_weight_is_halved_for_each_doubt():
    assert link_weight("", "body") == 1.0
    assert link_weight("noopener ugc", "body") == 0.5
    assert link_weight("nofollow sponsored", "body") == 0.5
    assert link_weight("", "footer") == 0.5
    assert link_weight("nofollow", "nav") == 0.25


def test_limit_keeps_the_first_and_counts_the_rest():
    document = parse(fetched("".join(f"<a href=/{i}>" for i in range(10))), max_links=4)
    assert targets(document) == [f"http://site.example/{i}" for i in range(4)]
    assert document.links_over_limit == 6


def test_what_promises_most_is_kept_before_the_limit_cuts():
    plain = "".join(f"<a href=/{i}>onion</a>" for i in range(10))
    telling = (
        "<a href=/wheel>bicycle</a><a href=/jobs.xml>jobs</a><a href=/shop rel=ugc>bicycle</a>"
    )
    document = parse(
        fetched(f"<nav><a href=/menu>menu</a></nav>{plain}{telling}"),
        max_links=4,
        hint=lambda anchor, _around, _url: float("bicycle" in anchor),
    )
    base = "http://site.example"
    assert targets(document) == [f"{base}/{name}" for name in ("0", "wheel", "jobs.xml", "shop")]
    assert document.links_over_limit == 10
    assert [link.topic_hint for link in document.links] == [0, 1, 0, 1]


def test_targets_hold_both_forms():
    assert (
        read("<a href='/A?utm_source=x'>a</a>").targets == "http://site.example/A\n/A?utm_source=x"
    )


@pytest.mark.parametrize(
    ("bases", "expected"),
    [
        # HTML Living Standard, "the base element": the first with an href, relative allowed
        ("<base target=_top><base href='/brett/'><base href='/zweite/'>", "/brett/x"),
        ("<!-- <base href='/falsch/'> -->", "/dir/x"),
        ("<script>'<base href=\"/falsch/\">'</script>", "/dir/x"),
        ("<base href='../up/'>", "/up/x"),
        ("<base href='data:,'>", "/dir/x"),
        ("<base href=''><base href='/zweite/'>", "/dir/x"),  # an empty one is one
    ],
)
def test_base(bases, expected):
    document = read(f"<head>{bases}</head><a href=x>x</a>")
    assert targets(document) == [f"http://site.example{expected}"]


# --- what a body is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        ("<!DOCTYPE html><p>x", "text/html", "html"),
        ("just words", "text/html", "html"),
        ("<?xml version='1.0'?><!DOCTYPE html><html><p>x</p></html>", "text/html", "html"),
        ("<?xml version='1.0'?>\n<rss><channel/></rss>", "text/html", "xml"),
        ("<rss><channel/></rss>", "text/plain", "xml"),
        ("<source><job/></source>", "text/html", "xml"),
        ("<!-- c --><urlset/>", "application/octet-stream", "xml"),
        ("<html><p>x", "text/plain", "html"),
        ("<html xmlns='http://www.w3.org/1999/xhtml'/>", "application/xhtml+xml", "html"),
        ("<anything/>", "application/vnd.acme+xml", "xml"),
        ("just words", "text/plain", "text"),
        ("just words", "", "text"),
        ('{"job": 1}', "application/json", "none"),
        (b"%PDF-1.7\n", "text/html", "none"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "text/html", "none"),
        (b"PK\x03\x04\0\0", "", "none"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "text/html", "none"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "text/plain", "none"),
        (b"ID3\x04", "text/html", "none"),
        (b"", "text/html", "html"),
    ],
)
def test_kind_is_told_from_the_content(body, content_type, kind):
    assert read(body, content_type).kind == kind


def test_plain_text_has_no_links():
    document = read("Jobs\n  and   careers <a href=/x>", "text/plain")
    assert (document.text, document.links) == ("Jobs\nand careers <a href=/x>", ())


def test_xhtml_may_close_what_html_may_not():
    body = "<html><head><script src='s'/><title>T</title></head><body><a id='i'/><p>x</p></body>"
    assert read(body, "application/xhtml+xml").title == "T"
    assert read(body, "application/xhtml+xml").text == "x"


def test_packed_pages_are_unpacked():
    assert read(gzip.compress(b"<title>T</title>"), "application/gzip").title == "T"


# --- peers --------------------------------------------------------------------------------------


def test_cases_from_bug_reports(shared: Path):
    cases = shared / "cases"
    charset = cases / "15-charset-precedence"
    for name, header, title in [
        ("header.html", "ISO-8859-2", "Oferty pracy w Łodzi"),
        ("bom.html", "ISO-8859-1", "Größe und Maß"),
        ("reversed.html", "", "Über uns"),
        ("utf16.html", "UTF-8", "Sechzehn – Ω"),
    ]:
        assert read((charset / name).read_bytes(), charset=header).title == title
    undeclared = cases / "17-charset-unknown-or-undeclared"
    assert (
        read((undeclared / "typo.html").read_bytes(), charset="ISO-88951-1").title == "Größenwahn"
    )
    assert read((undeclared / "sjis.html").read_bytes()).title == "国際疾病分類"
    base = (cases / "25-links-base-element" / "msg.html").read_bytes()
    document = parse(fetched(base, url="http://h.example/brett/liste/eintrag/77/"))
    assert targets(document) == [
        f"http://h.example{path}"
        for path in ("/brett/index.php/bild/1/", "/abs", "/brett/?p=2", "/brett/", "/oben")
    ]


def test_a_second_parser_finds_the_same_links(shared: Path):
    files = sorted((shared / "peer-suites/article-extraction-benchmark/html").glob("*.gz"))
    smallest = sorted(files, key=lambda file: file.stat().st_size)[:12]
    for file in smallest:
        body = gzip.decompress(file.read_bytes())
        tree = html5lib.parse(body, transport_encoding="utf-8", namespaceHTMLElements=False)
        bases = [e.get("href") for e in tree.iter("base") if e.get("href")]
        base = (canonical(bases[0], PAGE) if bases else None) or PAGE
        found = [e.get("href") for tag in ("a", "area") for e in tree.iter(tag)]
        found += [e.get("src") for tag in ("iframe", "frame") for e in tree.iter(tag)]
        found += [
            e.get("href")
            for e in tree.iter("link")
            if "alternate" in e.get("rel", "")
            and e.get("type", "").endswith(("rss+xml", "atom+xml"))
        ]
        expected = {url for raw in found if raw is not None and (url := canonical(raw, base))}
        assert set(targets(read(body, charset="utf-8"))) == expected - {PAGE}, file.name


@settings(max_examples=200)
@given(st.lists(st.sampled_from([
    "<a href=/x>", "</a>", "<p>", "</p>", "<b>", "</b>", "<table>", "<td>", "<script>", "</script>",
    "<svg>", "<title>", "</title>", "<template>", "</template>", "<nav>", "</nav>", "<!--", "-->",
    "<base href=/b/>", "<select>", "<frameset>", "text", "&amp;", "\0", "\x0b", "é", "<", '"',
    "<p hidden>", "<math>", "<noscript>", "<plaintext>", "<![CDATA[", "<?xml version='1.0'?>",
    "<rss>",
]), max_size=40))  # fmt: skip
def test_no_markup_fails(pieces):
    document = read("".join(pieces))
    assert "\0" not in document.text
    assert len(set(targets(document))) == len(document.links)
