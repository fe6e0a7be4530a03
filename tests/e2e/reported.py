# ruff: noqa: E501 - markup stands as it is served
"""Small webs after public bug reports of crawlers and their parts: what is served, what is right.

Each stands for a kind of fault. All are played by one server, under host names of their own.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import md5
from urllib.parse import quote

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Says:
    """One answer of the server."""

    body: bytes | str = b""
    type: str = HTML
    status: int = 200
    headers: tuple[tuple[str, bytes], ...] = ()
    length: int | None = None  # that it claims
    raw: bytes | None = None  # all that it sends, in place of the rest


Answer = Says | str | Callable[[int, str], str]  # a function is given how often, and the target


@dataclass(frozen=True)
class Case:
    """A web of one host, and what has to come of a crawl that begins at its `/`."""

    name: str
    source: str  # where people met it, or the rule that decides
    pages: dict[str, Answer | list[Answer]]  # target → answer, or one a request
    asked: set[str] = field(default_factory=set)  # targets that must be
    never: set[str] = field(default_factory=set)  # beginnings of targets
    once: set[str] = field(default_factory=set)  # beginnings of targets, of which one is asked once
    most: dict[str, int] = field(default_factory=dict)  # requests by beginning of the target
    titles: set[str] = field(default_factory=set)
    catches_all: Answer | None = None  # for targets that have no answer of their own


def page(title: str, *links: str, head: str = "", body: str = "") -> str:
    """Return a page; links are written into the markup as they are."""
    items = "".join(f'<li><a href="{link}">{n}</a></li>' for n, link in enumerate(links))
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
        f"<body><p>{title} has some words.</p><ul>{items}</ul>{body}</body></html>"
    )


def to(target: str | bytes, status: int = 302) -> Says:
    """Return a redirect; the target is sent as it is."""
    raw = target.encode() if isinstance(target, str) else target
    return Says("moved", status=status, headers=(("Location", raw),))


def text(body: str) -> Says:
    return Says(body, "text/plain")


def xml(body: str | bytes, kind: str = "application/xml") -> Says:
    return Says(body, kind)


def urlset(*urls: str) -> str:
    rows = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'


def forum(n: int, target: str) -> str:
    sid = md5(f"{n}{target}".encode()).hexdigest()
    return page("Forum", f"./?sid={sid}", f"./search.php?sid={sid}")


def shop(n: int, target: str) -> str:
    """A shop that keeps its filters, and escapes them once more each time."""
    parts = target.partition("?")[2].split("&")
    kept = "".join(quote(p, safe="=") + "&amp;" for p in parts if p and not p.startswith("p="))
    return page("Shop", f"/shop?{kept}&amp;amp;p=2", f"/shop?{kept}&amp;amp;p=3", "/item")


def filters(n: int, target: str) -> str:
    query = target.partition("?")[2] or "colour=red%20%26%20blue"
    kept = "&amp;".join(quote(p, safe="=") for p in query.split("&") if not p.startswith("p="))
    return page("Filters", f"/?{kept}&amp;p=1", f"/?{kept}&amp;p=2")


def repeats(n: int, target: str) -> str:
    query = target.partition("?")[2].replace("&", "&amp;")
    return page("Repeats", f"/list?{query}&amp;show=all" if query else "/list?show=all")


def calls(n: int, target: str) -> str:
    return page(f"Path {target.count('/')}", "infra/www/", "/other")


def calendar(n: int, target: str) -> str:
    if not target.startswith("/cal?m="):
        return page("Event")
    return page("Calendar", f"/cal?m={int(target[7:]) + 1}", "/")


def login(n: int, target: str) -> str:
    return page("Login", f"/login?next={quote(target, safe='')}")


WHOLE = page("Whole", body="<p>" + "words " * 400 + "the end</p>").encode()
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n"
    b"Connection: close\r\n\r\n%x\r\n%s\r\n" % (1000, WHOLE[:1000])
)
JSON_LD = '<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [%s]};</script>'

URLS = [
    Case(
        "sid",
        "vezaynk/Sitemap-Generator-Crawler #34: a session id in each link, another on each page",
        {"/": forum, "/search.php": forum},
        asked={"/search.php"},
        most={"/": 3, "/search.php": 1},
    ),
    Case(
        "jsessionid",
        "WHATWG URL; Java Servlet 4.0 §7.1.3: session ids as path parameters",
        {
            "/": page("Start", "/list;jsessionid=0A1B2C3D4E5F60718293A4B5C6D7E8F9?p=1", "/a;v=1"),
            "/list?p=1": page("List", "/list;jsessionid=00112233445566778899AABBCCDDEEFF?p=1"),
            "/a;v=1": page("Parameter"),
        },
        asked={"/a;v=1"},
        once={"/list"},
    ),
    Case(
        "spelling",
        "medialab/hyphe #134; Norconex/crawler #15; RFC 3986 §6.2.2",
        {
            "/": page(
                *("Start", "/wiki/P.M.", "/l?a=1&amp;b=2", "//spelling-b.example/x", "/a//b"),
                *("/a/b", "/q?b=2&amp;a=1&amp;c=", "/%c3%a4", "/%C3%A4", "/ä", "\\dir\\page"),
                *("http://spelling.example:80/port", "/port", "http://me:pw@spelling.example/port"),
                *("/with space", "/new\nline", "/d", "/d/", "http://SPELLING.example", "/~u"),
                *("/%7Eu", "/x/../y"),
            ),
            **{
                t: page(f"Page {t}")
                for t in (
                    *("/wiki/P.M.", "/l?a=1&b=2", "/a//b", "/a/b", "/q?b=2&a=1&c=", "/dir/page"),
                    *("/port", "/with%20space", "/newline", "/d", "/d/", "/%C3%A4", "/~u", "/y"),
                )
            },
        },
        asked={
            "/wiki/P.M.",
            "/l?a=1&b=2",
            "/a//b",
            "/a/b",
            "/q?b=2&a=1&c=",
            "/dir/page",
            "/d",
            "/d/",
        }
        | {"/with%20space", "/newline", "/y"},
        never={"/wiki/P.M\0", "/l?a=1&amp", "//", "/x"},
        once={"/port", "/%C3%A4", "/~u", "/"},
    ),
    Case(
        "spelling-b",
        "Norconex/crawler #15: a link without a scheme",
        {"/": "", "/x": page("Other host")},
        asked={"/x"},
        titles={"Other host"},
    ),
    Case(
        "idn",
        "RFC 5891: one host, spelt in two ways",
        {"/": page("Start", "http://bücher.example/b", "http://xn--bcher-kva.example/b")},
    ),
    Case("xn--bcher-kva", "see idn", {"/": "", "/b": page("Bücher")}, once={"/b"}),
]
TRAPS = [
    Case(
        "shop",
        "Norconex/crawler #28: each page escapes the filters of its own URL once more",
        {"/": page("Start", "/shop?&amp;amp;p=2"), "/item": page("Item")},
        catches_all=shop,
        asked={"/item"},
        most={"/shop": 10},
    ),
    Case("filters", "Norconex/crawler #28, values", {}, catches_all=filters, most={"/": 9}),
    Case(
        "repeats",
        "the same parameter once more on each page",
        {},
        catches_all=repeats,
        most={"/list": 3},
    ),
    Case(
        "path",
        "MarginaliaSearch #110: a relative link, answered below itself",
        {"/other": page("Other")},
        catches_all=calls,
        asked={"/other"},
        most={"/infra": 4},
    ),
    Case(
        "calendar",
        "spacetime-crawler4py #121: a calendar has no end; what is on its pages does not count",
        {"/": page("Start", "/cal?m=0"), "/cal?m=5": page("Calendar", "/cal?m=6", "/event")},
        catches_all=calendar,
        asked={"/event"},
        most={"/cal": 12},
    ),
    Case(
        "login", "a login page that comes back to itself", {}, catches_all=login, most={"/login": 4}
    ),
]
ROBOTS = [
    Case(
        "bom",
        "LAW-Unimi/BUbiNG #17; seomoz/rep-cpp #13",
        {
            "/robots.txt": text("\ufeffUser-agent: *\nDisallow: /no"),
            "/": page("Start", "/no", "/yes"),
        },
        asked={"/yes"},
        never={"/no"},
    ),
    Case(
        "unscoped",
        "seomoz/reppy #47: a Crawl-delay before all groups",
        {
            "/robots.txt": text(
                "Crawl-delay: 0.1\n\nSitemap: https://unscoped.example/s.xml\n\nUser-agent: *\n"
                "Disallow: /*.aspx\nDisallow: /*%\n"
            ),
            "/": page("Start", "/yes", "/a.aspx", "/b%20c"),
        },
        asked={"/yes"},
        never={"/a.aspx", "/b"},
    ),
    Case(
        "query",
        "scrapy/protego #29: a pattern within the query",
        {
            "/robots.txt": text("User-agent: *\nDisallow: /*s=\nDisallow: /*?*sort="),
            "/": page("Start", "/s/", "/?s=asd", "/l?a=1&amp;sort=up", "/l?a=1"),
        },
        asked={"/s/", "/l?a=1"},
        never={"/?s=", "/l?a=1&"},
    ),
    Case(
        "cr",
        "RFC 9309 §2.2: lines may end in CR; groups apart are one",
        {
            "/robots.txt": Says(
                b"User-agent: graphcrawl\rDisallow: /a\rUser-agent: *\rDisallow: /\r"
                b"user-agent : GraphCrawl # us\rdisallow : /b # not this\rNoindex: /c\rAllow: /b/c\r",
                "text/plain",
            ),
            "/": page("Start", "/a", "/b", "/c", "/b/c"),
        },
        asked={"/c", "/b/c"},
        never={"/a", "/b\0"},
    ),
    Case(
        "forbidden",
        "seomoz/reppy #24; RFC 9309 §2.3.1.3",
        {"/robots.txt": Says("Disallow: /", status=403), "/": page("Start", "/yes")},
        asked={"/yes"},
    ),
    Case(
        "soft404",
        "a page in place of robots.txt says nothing",
        {
            "/robots.txt": page("Not found", body="<pre>\nUser-agent * \n/ </pre>"),
            "/": page("Start", "/yes"),
        },
        asked={"/yes"},
    ),
    Case(
        "escapes",
        "RFC 9309 §2.2.2: octets are compared, however they are written; case counts",
        {
            "/robots.txt": Says(
                "User-agent: *\nDisallow: /café\nDisallow: /%e2%82%ac\nDisallow: /Search\n"
                "Allow: /$\nDisallow: /x$\n".encode(),
                "text/plain; charset=iso-8859-1",
            ),
            "/": page("Start", "/caf%C3%A9", "/€", "/search", "/x", "/x/y"),
        },
        asked={"/search", "/x/y"},
        never={"/caf", "/%E2", "/x\0"},
    ),
    Case(
        "packed",
        "RFC 9110 §8.4.1: robots.txt may be encoded",
        {
            "/robots.txt": Says(
                gzip.compress(b"User-agent: *\nDisallow: /no"),
                "text/plain",
                headers=(("Content-Encoding", b"gzip"),),
            ),
            "/": page("Start", "/no", "/yes"),
        },
        asked={"/yes"},
        never={"/no"},
    ),
]
SITEMAPS = [
    Case(
        "relative-map",
        "crawler-commons #32, #144; messense/robotparser-rs #18; scrapy/protego #15",
        {
            "/robots.txt": text("Sitemap: /map.php\nsitemap:/list.txt\nUser-agent: *\nDisallow:"),
            "/map.php": xml(
                '\n\n  <?xml version="1.0" encoding="UTF-8"?>\n'
                '<ns:urlset xmlns:ns="http://www.sitemaps.org/schemas/sitemap/0.9" '
                'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
                "<ns:url><ns:loc><![CDATA[ /cdata ]]></ns:loc><image:image>"
                "<image:loc>http://relative-map.example/pic</image:loc></image:image></ns:url>"
                "<ns:url><ns:loc>\nhttp://relative-map.example/q?a=1&b=2\n</ns:loc></ns:url></ns:urlset>",
                "text/html",
            ),
            "/list.txt": text(
                "\ufeffhttp://relative-map.example/t1\r\n\r\nhttp://relative-map.example/t2\r\n"
            ),
            "/": page("Start"),
        },
        asked={"/map.php", "/list.txt", "/cdata", "/q?a=1&b=2", "/t1", "/t2"},
        never={"/pic"},
    ),
    Case(
        "twice-packed",
        "a packed file, packed once more on its way; an index of feeds; hreflang",
        {
            "/robots.txt": text("Sitemap: http://twice-packed.example/index.xml.gz"),
            "/index.xml.gz": Says(
                gzip.compress(
                    gzip.compress(
                        b"<sitemapindex><sitemap><loc>http://twice-packed.example/rss</loc></sitemap>"
                        b"<sitemap><loc>http://twice-packed.example/cut.xml</loc></sitemap>"
                        b"</sitemapindex>"
                    )
                ),
                "application/octet-stream",
                headers=(("Content-Encoding", b"gzip"),),
            ),
            "/rss": xml(
                "<rss><channel><item><link>http://twice-packed.example/r1</link></item></channel></rss>",
                "application/octet-stream",
            ),
            "/cut.xml": xml(
                '<?xml version="1.0"?><urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url>'
                "<loc>http://twice-packed.example/c1</loc><xhtml:link rel='alternate' hreflang='de' "
                "href='http://twice-packed.example/de'/></url><url><loc>http://twice-packed.exa"
            ),
            "/": page("Start"),
        },
        asked={"/index.xml.gz", "/rss", "/r1", "/cut.xml", "/c1", "/de"},
        never={"/twice", "//"},
    ),
    Case(
        "closed-map",
        "a sitemap that robots.txt forbids is not asked for; one of a closed start page is",
        {
            "/robots.txt": text(
                "User-agent: *\nDisallow: /$\nDisallow: /no\nSitemap: /no.xml\nSitemap: /yes.xml"
            ),
            "/yes.xml": xml(urlset("http://closed-map.example/p1")),
            "/": page("Start"),
        },
        asked={"/p1"},
        never={"/\0", "/no"},
    ),
]
