# ruff: noqa: E501 - markup stands as it is served
"""More of the small webs: redirects, canonicals, charsets, feeds, links, broken answers, text."""

import gzip

from reported import CHUNKED, HTML, JSON_LD, WHOLE, Case, Says, page, to, xml

REDIRECTS = [
    Case(
        "location",
        "scrapy/scrapy #2321; follow-redirects #125; sagebind/isahc #315: bytes in a Location",
        {
            "/": page("Start", *(f"/r{n}" for n in range(9))),
            "/r0": to("/café"),
            "/r1": to("/caf\xe9-latin".encode("latin-1")),
            "/r2": to("/with space?q=a b"),
            "/r3": to("?x=1#part", 307),
            "/r4": to("//location.example/proto", 303),
            "/r5": to("mailto:me@location.example"),
            "/r6": to("  http://location.example/blanks  ", 301),
            "/r7": to("http:\\\\location.example\\back", 308),
            "/r8": Says("no target", status=302),
            **{
                t: page(f"Page {t}")
                for t in (
                    *("/caf%C3%A9", "/caf%E9-latin", "/with%20space?q=a%20b", "/r3?x=1", "/proto"),
                    *("/blanks", "/back"),
                )
            },
        },
        asked={"/caf%C3%A9", "/caf%E9-latin", "/with%20space?q=a%20b", "/r3?x=1", "/proto"}
        | {"/blanks", "/back"},
        never={"/mailto", "/caf%C3%83"},
    ),
    Case(
        "loops",
        "Arachni #159: a page that sends on to itself for want of a cookie; chains and rounds",
        {
            "/": page("Start", "/self", "/a", "/c1", "/meta", "/header", "/late"),
            "/self": Says("", status=302, headers=(("Location", b"/self"), ("Set-Cookie", b"a=b"))),
            "/a": to("/b"),
            "/b": to("/a"),
            "/c1": to("/c2", 301),
            "/c2": to("/c3"),
            "/c3": to("/c4", 307),
            "/c4": page("End of the chain"),
            "/meta": page(
                "Meta", head="<meta http-equiv=refresh content=\"0;URL='/m?a=1&amp;b=2'\">"
            ),
            "/m?a=1&b=2": page("Meta's target"),
            "/header": Says(page("Header"), headers=(("Refresh", b"0; url=/refreshed"),)),
            "/refreshed": page("Header's target"),
            "/late": page("Late", head='<meta http-equiv="refresh" content="600">'),
        },
        once={"/self", "/a", "/b", "/c4", "/m?a=1&b=2", "/refreshed", "/late"},
        titles={"End of the chain", "Meta's target", "Header's target", "Late"},
    ),
]
CANONICALS = [
    Case(
        "pages",
        "nystudio107/craft-seomatic #875: all pages of a list name the first one as canonical",
        {
            "/": page(
                "List 1", "/i1", head='<link rel=canonical href="/"><link rel=next href="/?p=2">'
            ),
            "/?p=2": page("List 2", "/?p=3", "/i2", head='<link rel=canonical href="/">'),
            "/?p=3": page("List 3", "/i3", head='<link rel=canonical href="/">'),
        },
        asked={"/?p=2", "/?p=3", "/i1", "/i2", "/i3"},
    ),
    Case(
        "odd-canon",
        "Norconex/crawler #697; RFC 6596; RFC 8288",
        {
            "/": page("Start", "/prop", "/none", "/head?x=1", "/far", "/s", "/round1"),
            "/prop": page("Property", head='<meta property="canonical" href="/">'),
            "/none": page("Empty", head='<link rel="canonical" href="">'),
            "/head?x=1": Says(page("Header"), headers=(("Link", b'</head>; rel="canonical"'),)),
            "/head": page("Header"),
            "/far": page("Far", head='<link rel=canonical href="http://far-canon.example/gone">'),
            "/s": page("Secure", head='<link rel=canonical href="https://odd-canon.example/s">'),
            "/round1": page("Round 1", head='<link rel=canonical href="/round2">'),
            "/round2": page("Round 2", head='<link rel=canonical href="/round1">'),
        },
        asked={"/head"},
        once={"/prop", "/none", "/head?x=1", "/far", "/s", "/round1", "/round2"},
        titles={"Property", "Empty", "Far", "Secure", "Round 1", "Round 2"},
    ),
]
RUSSIAN = "Работа в Москве"
CHARSETS = [
    Case(
        "charset",
        "lorien/grab #176; w3lib #155; webrecorder #36; firecrawl #1265; Encoding Standard",
        {
            "/": page("Start", *(f"/{n}" for n in range(12))),
            "/0": Says(
                page("0 " + RUSSIAN, head="<meta charset=windows-1251>").encode("cp1251"),
                "text/html",
            ),
            "/1": Says(
                f"<html><head><!-- <meta charset=utf-8> --><script>var a='{'x' * 1500}';</script>"
                f"<META CONTENT='text/html;charset=koi8-r' HTTP-EQUIV=Content-Type><title>1 {RUSSIAN}"
                "</title></head><body>x</body></html>".encode("koi8-r"),
                "text/html",
            ),
            "/2": Says(
                page("2 Stellen für Köche – „jetzt“").encode("cp1252"),
                "text/html; charset=ISO-8859-1",
            ),
            "/3": Says(page("3 Größe").encode("utf-16-be"), 'text/html; charset="utf-16be"'),
            "/4": Says(page("4 Größe").encode(), "text/html;charset='UTF8' ;q=1"),
            "/5": Says(
                page("5 网站地图 龦", head="<meta charset=gb2312>").encode("gb18030"), "text/html"
            ),
            "/6": Says(
                '<?xml version="1.0" encoding="iso-8859-2"?><html><head><title>6 Łódź</title></head>'
                "<body>x</body></html>".encode("iso-8859-2"),
                "application/xhtml+xml",
            ),
            "/7": Says(page("7 Größe").encode().replace(b"words", b"w\xffrds"), HTML),
            "/8": Says(page("8 &#146;quoted&#x92; &amp;amp; &hellip;"), HTML),
            "/9": Says(
                page(
                    "9 网站地图小说",
                    head='<meta httpequiv="ContentType" content="text/html; charset=gbk">',
                    body="<p>我们的网站有很多小说,欢迎大家来阅读。</p>" * 9,
                ).encode("gbk"),
                "text/html",
            ),
            "/10": Says(
                b"\xef\xbb\xbf" + page("10 Größe", head="<meta charset=latin1>").encode(),
                "text/html",
            ),
            "/11": Says(
                page("11 求人情報", head="<meta charset=x-sjis>").encode("cp932"), "text/html"
            ),
        },
        titles={
            f"0 {RUSSIAN}",
            f"1 {RUSSIAN}",
            "2 Stellen für Köche – „jetzt“",
            "3 Größe",
            "4 Größe",
        }
        | {"5 网站地图 龦", "6 Łódź", "7 Größe", "8 ’quoted’ &amp; …", "9 网站地图小说", "10 Größe"}
        | {"11 求人情報"},
    ),
]
FEEDS = [
    Case(
        "feeds",
        "rometools/rome #38; feedbin #110; gofeed #2: xml:base of an entry; dirty feeds",
        {
            "/": page("Start", "/atom", "/rss", "/rdf"),
            "/atom": xml(
                '\n<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><title>Atom</title>'
                '<link rel="self" href="atom"/><entry xml:base="When/12/"><title type="html">A &amp;lt;b'
                '&amp;gt;</title><link href="Story"/><content type="xhtml" xml:base="../deep/">'
                '<div xmlns="http://www.w3.org/1999/xhtml"></div></content></entry>'
                '<entry><link rel="alternate" type="text/html" href="second?a=1&amp;b=2"/>'
                '<link rel="replies" href="comments"/><link rel="enclosure" href="/sound.mp3"/></entry></feed>',
                "text/html",
            ),
            "/rss": xml(
                b"\xef\xbb\xbf\n<?xml version='1.0' encoding='windows-1251'?><!DOCTYPE rss [<!ENTITY x 'y'>]>"
                b"<rss version='2.0'><channel><title>RSS</title><link>/</link>"
                b"<item><title>B&nbsp;\x0b&unknown; &x;</title><link>\n /r1?a=1&b=2 \n</link></item>"
                b"<item><guid>http://feeds.example/guid</guid></item>"
                b"<item><guid isPermaLink='false'>http://feeds.example/no-guid</guid>"
                b"<link><![CDATA[http://feeds.example/cdata]]></link></item></channel></rss>",
                "text/plain",
            ),
            "/rdf": xml(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                "xmlns='http://purl.org/rss/1.0/'><item><link>/rdf1</link></item></rdf:RDF>",
                "application/rdf+xml",
            ),
        },
        asked={
            "/blog/When/12/Story",
            "/blog/second?a=1&b=2",
            "/r1?a=1&b=2",
            "/guid",
            "/cdata",
            "/rdf1",
        },
        never={"/no-guid", "/sound", "/Story", "/blog/Story", "/blog/comments"},
    ),
]
LINKS = [
    Case(
        "links",
        "adbar/courlan #129; soulgalore/crawler #12; Norconex/crawler #18, #423; get-site-urls #14",
        {
            "/": "<html><head><title>Links</title><base target=_top></head><body>"
            '<a\nhref=/bare>1</a><A\tHREF = \'/single\'>2</A><a alt="foo"\nhref="\n  /newline\n">3</a>'
            "<a href=/open><b>4<a href='/inner'>5</a><map><area href=/area></map>"
            "<iframe src=/frame></iframe><!-- <a href=/comment>x</a> -->"
            "<script>document.write('<a href=\"/script\">x</a>')</script>"
            "<style>a { content: '<a href=/style>' }</style><textarea><a href=/area2></textarea>"
            "<svg><a xlink:href='/svg'>6</a></svg><a href='&#x2F;entity&quest;a=1'>7</a>"
            "<a href='data:text/html,<a href=/data>'>8</a><a href='javascript:go(\"/js\")'>9</a>"
            "<a data-href=/attribute>10</a><form action=/form><input></form><a href>11</a>"
            "<a href='/nul\0'>12</a><a href='https://'>13</a><a href='http://[::1'>14</a>"
            "<a href='/a' href='/second'>15</a><a href='?'>16</a><a name=x href='#x'>17</a>"
            "<a title='a > b' href='/greater'>18</a><a href=\"/quote'd\">19</a></body></html>",
        },
        asked={"/bare", "/single", "/newline", "/open", "/inner", "/area", "/frame", "/svg"}
        | {"/entity?a=1", "/a", "/greater", "/quote'd"},
        never={"/comment", "/script", "/style", "/area2", "/data", "/js", "/attribute", "/form"}
        | {"/second", "/https", "/http"},
    ),
]
BROKEN = [
    Case(
        "cut",
        "psf/requests #4956; hydrus #1227; vite-plus #1940: bodies that end early are no pages",
        {
            "/": page("Start", "/length", "/chunks", "/gzip", "/reset", "/empty", "/old", "/wait"),
            "/length": [
                Says(WHOLE[:900], length=len(WHOLE)),
                Says(WHOLE.replace(b"Whole", b"Whole 1")),
            ],
            "/chunks": [Says(raw=CHUNKED), Says(WHOLE.replace(b"Whole", b"Whole 2"))],
            "/gzip": [
                Says(gzip.compress(WHOLE)[:90], headers=(("Content-Encoding", b"gzip"),)),
                Says(WHOLE.replace(b"Whole", b"Whole 3")),
            ],
            "/reset": [Says(raw=b""), Says(WHOLE.replace(b"Whole", b"Whole 4"))],
            "/empty": Says(b""),
            "/old": Says(raw=b"HTTP/1.0 200 OK\nContent-type: text/html\n\n<title>Whole 5</title>"),
            "/wait": [
                Says("", status=503, headers=(("Retry-After", b" 1 "),)),
                Says(WHOLE.replace(b"Whole", b"Whole 6")),
            ],
        },
        titles={f"Whole {n}" for n in range(1, 7)},
        most={
            "/length": 2,
            "/chunks": 2,
            "/gzip": 2,
            "/reset": 2,
            "/empty": 1,
            "/old": 1,
            "/wait": 2,
        },
    ),
]
GRAPH = [
    Case(
        "strange",
        "aleph #2483; py2neo #737; neo4j-shell-tools #112: any text is data, never a statement",
        {
            "/": page("`Start` \"'}) DETACH DELETE n //", "/nul", "/lone", "/long", "/many", "/ld"),
            "/nul": Says(
                b"<title>N\0UL\x07 and \\u0000</title><p>a\0b</p><a href='/n\x01m'>x\0y</a>"
            ),
            "/lone": page("Lone &#xD800; &#x110000; &#0; 👩‍👧", "/%ED%A0%80", "/%00", "/👩‍👧"),
            "/long": page("L" * 300_000, body=f"<a href='/anchor'>{'A' * 200_000}</a>"),
            "/many": page("Many", *(f"/p#{n}" for n in range(3000)), *["/p"] * 3000),
            "/ld": page(
                "Data", head=JSON_LD % '{"@type": "JobPosting", "title": "Line\nbreak \t& Co"}'
            ),
        },
        asked={
            "/nul",
            "/lone",
            "/long",
            "/many",
            "/ld",
            "/anchor",
            "/%00",
            "/%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7",
        },
        once={"/p"},
        titles={"`Start` \"'}) DETACH DELETE n //", "Many", "Data"},
    ),
]
