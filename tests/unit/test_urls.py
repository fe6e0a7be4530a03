"""Canonical URLs, keys, traps and scope. Right values: WHATWG URL, RFC 3986, peer suites."""

import json
import os
import pickle
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphcrawl.errors import UsageError
from graphcrawl.models import Reason
from graphcrawl.urls import (
    Scope,
    canonical,
    host_key,
    host_name,
    neuron_id,
    origin,
    refusal,
    registered_domain,
)

SHARED = Path(os.environ.get("GRAPHCRAWL_SHARED") or Path(__file__).parents[2] / "../shared")


def shared(path: str) -> Path:
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"{path} is not beside this repository")
    return file


# --- canonical ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("http://user:p%40ss@example.com/", "http://example.com/"),
        ("http://example.com/#top", "http://example.com/"),
        ("http://example.com/a/../b/./c", "http://example.com/b/c"),
        ("  http://example.com/a\n", "http://example.com/a"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::FFFF:1]/", "http://[::ffff:1]/"),
        # what could mean another page stays
        ("http://example.com/Path", "http://example.com/Path"),
        ("http://example.com//a//", "http://example.com//a//"),
        ("http://example.com/?b=1&a=2&&a=1", "http://example.com/?b=1&a=2&&a=1"),
        ("http://example.com/q?", "http://example.com/q?"),
        # RFC 3986 §6.2.2: unreserved characters decoded, hex digits in upper case
        ("http://example.com/%7euser/%61%2d%5f%2E", "http://example.com/~user/a-_."),
        ("http://example.com/%c3%bc?q=%e2%82%ac", "http://example.com/%C3%BC?q=%E2%82%AC"),
        # bug reports: an escaped reserved character is not the character
        (
            "http://wiki.example/Ticket%20%2376%3a%20offen?x=1#top",
            "http://wiki.example/Ticket%20%2376%3A%20offen?x=1",
        ),
        ("http://a.example/cmp/Rabatt-10%25", "http://a.example/cmp/Rabatt-10%25"),
        ("http://a.example/cmp/Meier%26Sohn", "http://a.example/cmp/Meier%26Sohn"),
        ("http://a.example/cmp/Meier&Sohn", "http://a.example/cmp/Meier&Sohn"),
        ("http://a.example/?tag=c%2B%2B", "http://a.example/?tag=c%2B%2B"),
        ("http://a.example/?tag=c++", "http://a.example/?tag=c++"),
        ("http://a.example/liste%3Balt/", "http://a.example/liste%3Balt/"),
        ("http://a.example/a%2fb%3F", "http://a.example/a%2Fb%3F"),
        ("http://a.example/sale/100%", "http://a.example/sale/100%25"),
        ("http://a.example/%%36%31", "http://a.example/%2561"),
        ("http://a.example/o'neill?ref='x'", "http://a.example/o'neill?ref=%27x%27"),
        ("http://a.example/l%27avis", "http://a.example/l%27avis"),
        # no path may hold them, so there is but one page that is meant; queries stay as written
        ("http://a.example/a|b[1]?c|d[]=[1]", "http://a.example/a%7Cb%5B1%5D?c|d[]=[1]"),
        # trackers and session ids
        ("http://a.example/x?utm_source=n&utm%5fmedium=m", "http://a.example/x"),
        ("http://a.example/x?a=1&gclid=G&b=2", "http://a.example/x?a=1&b=2"),
        ("http://a.example/x;jsessionid=0A1B.n1?a=1", "http://a.example/x?a=1"),
        ("http://a.example/x?JSESSIONID=0A1B", "http://a.example/x"),
        ("http://a.example/..;jsessionid=1/b", "http://a.example/b"),
        ("http://a.example/x?PHPSESSID=abc&p=2", "http://a.example/x?p=2"),
        ("http://a.example/x?sid=0123456789abcdef0123456789abcdef", "http://a.example/x"),
        ("http://a.example/x?sid=1", "http://a.example/x?sid=1"),
        ("http://a.example/x?session=2024-morning", "http://a.example/x?session=2024-morning"),
        ("http://a.example/x?ref=utm_source", "http://a.example/x?ref=utm_source"),
    ],
)
def test_canonical_form(raw: str, expected: str) -> None:
    assert canonical(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        "mailto:a@b.example",
        "javascript:void(0)",
        "data:text/html,<a>",
        "tel:+431",
        "ftp://a.example/",
        "",
        "relative/without/base",
        "http://",
        "http://a b/",
        "http://a.example:99999/",
        "http://\ud800.example/",
    ],
)
def test_what_is_no_page_has_no_canonical_form(raw: str) -> None:
    assert canonical(raw) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        # RFC 3986 §5.4, base http://a/b/c/d;p?q
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"),
        (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../../../g", "http://a/g"),
        ("..g", "http://a/b/c/..g"),
        ("g;x=1/../y", "http://a/b/c/y"),
        # a blank at the end goes, an escaped one is part of the name
        ("/liste/angebote ", "http://a/liste/angebote"),
        ("/liste/angebote%20", "http://a/liste/angebote%20"),
    ],
)
def test_relative_references(reference: str, expected: str) -> None:
    assert canonical(reference, "http://a/b/c/d;p?q") == expected


URL_LIKE = st.one_of(
    st.text(),
    st.from_regex(r"https?://[a-z.]{1,8}(:[0-9]{1,3})?/[!-~]{0,30}", fullmatch=True),
    st.lists(
        st.sampled_from(
            [
                "/",
                ".",
                "..",
                "%2e",
                "%",
                "%2",
                "%25",
                "%41",
                "%3B",
                ";",
                ";jsessionid=",
                "?",
                "&",
                "jsessionid",
                "sid=",
                "=",
                "#",
                "@",
                ":",
                "\\",
                "'",
                "utm_",
                "a",
                "é",
                "0123456789abcdef",
            ]
        ),
        max_size=12,
    ).map(lambda parts: "http://h.example/" + "".join(parts)),
)


@given(raw=URL_LIKE, base=st.sampled_from(["", "http://h.example/a/b?c"]))
@example(raw="http://h.example/%%36%31", base="")
@example(raw="http://h.example/.;jsessionid=1/..;jsessionid=2/x", base="")
def test_canonical_is_idempotent_and_plain(raw: str, base: str) -> None:
    url = canonical(raw, base)
    if url is None:
        return
    assert canonical(url) == url
    assert url.isascii()
    assert "#" not in url
    assert "@" not in host_key(url)
    assert url.startswith(origin(url).rpartition(":")[0])


@given(text=st.text(min_size=1))
def test_escaping_never_changes_what_the_path_means(text: str) -> None:
    raw = "".join(f"%{byte:02x}" for byte in text.encode())
    url = canonical(f"http://h.example/x{raw}")
    assert url is not None
    path, _, query = url.removeprefix("http://h.example/x").partition("?")
    assert unquote_to_bytes(path).decode() == text
    assert query == ""  # an escaped question mark begins no query


def whatwg_cases() -> list[dict[str, str]]:
    suite = json.loads(shared("peer-suites/whatwg-url/urltestdata.json").read_text("utf-8"))
    return [case for case in suite if isinstance(case, dict)]


def test_agrees_with_the_whatwg_suite() -> None:
    cases = [
        case
        for case in whatwg_cases()
        if case.get("protocol") in {"http:", "https:"} and not case.get("failure")
    ]
    assert len(cases) > 240
    for case in cases:
        url = canonical(case["input"], case.get("base") or "")
        assert url is not None, case
        ours = urlsplit(url)
        assert f"{ours.scheme}:" == case["protocol"], case
        assert ours.netloc == case["host"], case
        assert unquote_to_bytes(ours.path) == unquote_to_bytes(case["pathname"]), case
        assert unquote_to_bytes(ours.query) == unquote_to_bytes(case["search"][1:]), case
        for reserved in ("%2F", "%3F", "%23", "%26", "%2B", "%3B"):
            assert ours.path.count(reserved) == case["pathname"].upper().count(reserved), case


def test_rejects_what_the_whatwg_suite_rejects() -> None:
    failures = [case for case in whatwg_cases() if case.get("failure")]
    assert len(failures) > 250
    for case in failures:
        assert canonical(case["input"], case.get("base") or "") is None, case


def test_agrees_with_the_archives_suite_on_dots() -> None:
    dots = json.loads(shared("peer-suites/iipc-urlcanon/path_dots.json").read_text("utf-8"))
    for path, expected in dots["special"].items():
        if "\\" in path:  # WHATWG: a slash
            continue
        assert canonical(f"http://h.example{path}") == f"http://h.example{expected}", path


def test_agrees_with_the_archives_suite_but_for_repeated_decoding() -> None:
    """Archives decode until nothing changes and decode reserved characters; both merge pages."""
    suite = json.loads(shared("peer-suites/iipc-urlcanon/supplemental_whatwg.json").read_text())
    agreed = 0
    for raw, expected in suite.items():
        if not expected.startswith(("http:", "https:")) or canonical(raw) is None:
            continue
        if "://0.0.0.0/" in expected:  # they read a host of dots alone as an address
            continue
        assert canonical(raw) == canonical(expected), raw
        agreed += 1
    assert agreed > 10


# What archives do and we do not, since each may merge two pages: sort the query, read `//` in paths
# as `/`, drop a dot at the end of a host name or a host of dots, drop `www.`, an empty query or the
# slash at the end, decode what is reserved, decode again and again. And their inputs in bytes that
# were read as latin-1, and hosts without a scheme, which seeds alone may be.
ARCHIVES_ONLY = {
    "query order": ["/?%26=%26&%26", "/?%3d=%3d&%3d", "/?c=d&a=b"],
    "slashes": ["com////../..", "com\\\\foo", "//twoslashes"],
    "dots in hosts": ["%2e", "google.com.../"],
    "reserved, decoded": ["%3A%3a", "%7Ffp3", "(%28:", "@asdf%40", "foo=%7B%22"],
    "decoded again": ["%%300", "%%36%31", "%25%2536", "%25%25361", "%25%32%35", "%252525", "%2561"],
    "no scheme": ["www.google.com"],
}


def test_agrees_with_the_archives_suite_where_it_is_safe() -> None:
    suite = json.loads(shared("peer-suites/iipc-urlcanon/semantic_precise.json").read_text("utf-8"))
    others = [part for parts in ARCHIVES_ONLY.values() for part in parts]
    agreed = 0
    for raw, expected in suite.items():
        is_web = expected.startswith(("http:", "https:"))
        is_mangled = any("\x80" <= char <= "\xff" for char in raw)
        if not is_web or is_mangled or any(part in raw for part in others):
            continue
        assert canonical(raw) == canonical(expected), raw
        agreed += 1
    assert agreed > 90
    for raw in json.loads(shared("peer-suites/iipc-urlcanon/idempotence.json").read_text("utf-8")):
        once = canonical(raw)
        assert once is None or canonical(once) == once


def test_agrees_with_the_suites_on_international_names() -> None:
    cases = 0
    for name in ("toascii.json", "IdnaTestV2.json"):
        suite = json.loads(shared(f"peer-suites/whatwg-url/{name}").read_text("utf-8"))
        for case in suite:
            if isinstance(case, str) or not case["input"]:  # no name is no host
                continue
            expected = case["output"] and f"http://{case['output']}/x"
            assert canonical(f"http://{case['input']}/x") == expected, case
            cases += 1
    assert cases > 2_700


def test_bug_report_of_the_escaped_hash() -> None:
    rows = shared("cases/01-url-escaped-hash-in-path/urls.tsv").read_text("utf-8").splitlines()
    for row in rows[1:]:
        raw, wanted, unwanted = row.split("\t")
        url = canonical(raw)
        assert url is not None
        assert wanted in url
        assert unwanted not in url
        assert canonical(url) == url


# --- keys ---------------------------------------------------------------------------------------


def test_neuron_ids_are_stable_and_fit_a_signed_integer() -> None:
    # blake2b of the bytes, first 8, big-endian, one bit dropped; from `b2sum -l 64`
    assert neuron_id("http://example.com/") == 0xFB2241160C9DAD06 >> 1
    assert all(0 <= neuron_id(f"http://h.example/{n}") < 2**63 for n in range(1000))


@pytest.mark.parametrize(
    ("url", "host", "name", "at"),
    [
        ("http://a.example/x", "a.example", "a.example", "http://a.example:80"),
        ("https://a.example/x", "a.example", "a.example", "https://a.example:443"),
        ("https://a.example:80/", "a.example:80", "a.example", "https://a.example:80"),
        ("http://[::1]/x:1", "[::1]", "[::1]", "http://[::1]:80"),
        ("http://[::1]:8080/", "[::1]:8080", "[::1]", "http://[::1]:8080"),
    ],
)
def test_keys(url: str, host: str, name: str, at: str) -> None:
    assert host_key(url) == host
    assert host_name(host) == name
    assert origin(url) == at


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("jobs.acme.co.uk:8080", "acme.co.uk"),
        ("www.example.com", "example.com"),
        ("a.b.c.example", "c.example"),
        ("c.example", "c.example"),
        ("somebody.github.io", "somebody.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("www.ck", "www.ck"),
        ("localhost", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:80", "[::1]"),
    ],
)
def test_registered_domain(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


# --- refusal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", None),
        ("a.html", None),
        ("logo.PNG", Reason.TYPE),
        ("cv.pdf;v=2?x=1", Reason.TYPE),
        ("jobs/node.js", None),
        ("company/notion.so", None),
        ("jobs.xml", None),
        ("jobs.xml.gz", None),
        ("sitemap.gz", None),
        ("src.tar.gz", Reason.TYPE),
        ("mail.txt.gz", Reason.TYPE),
        ("download?file=a.zip", None),
        ("v1.zip/readme", None),
        ("a/b/a/b", None),
        ("a/x/a/y/a/z", Reason.TRAP),
        ("2024/01/01/01", None),
        ("0/1/0/1/0/1", Reason.TRAP),
        ("/".join(map(str, range(20))), None),
        ("/".join(map(str, range(21))), Reason.TRAP),
        ("www.a.example/x/www.a.example/", Reason.TRAP),
        ("getgrav.org/wiki/getgrav.org", None),
        ("?tag=a&tag=b&tag=c&x=1&x=1", None),
        ("?x=1&tag=a&x=1&x=1", Reason.TRAP),
        ("?a&&&&b", None),
        ("?to=http%253A%252F%252Fx.example%252F&q=100%25", None),
        ("?to=http%25253A%25252F", Reason.TRAP),  # escaped three times
        ("?amp;p=2&amp%3Bq=3", None),
        ("?x=1&amp%253Bp=2", Reason.TRAP),  # Norconex/crawler #28
        ("a%252520b", None),  # of paths nobody has told
        ("socket.io/v2.0.x/v2.0.x/", None),
        ("x" * (2083 - len("http://h.example/")), None),
        ("x" * (2084 - len("http://h.example/")), Reason.TOO_LONG),
    ],
)
def test_refusal(path: str, reason: Reason | None) -> None:
    assert refusal(f"http://h.example/{path}") is reason


def test_a_site_that_answers_below_every_page_ends_soon() -> None:
    """A link that lost its `https://` (bug report 31): at most about ten URLs are left."""
    links = ["www.partner.example/richtlinie/", "www.zwei.example/"]
    waiting, seen = ["http://h.example/de/datenschutz/"], set()
    while waiting:
        url = waiting.pop()
        seen.add(url)
        targets = [canonical(link, url) for link in links]
        waiting += [t for t in targets if t and t not in seen and refusal(t) is None]
    assert 3 <= len(seen) <= 10


# --- scope --------------------------------------------------------------------------------------

SEEDS = ["http://jobs.acme.example/", "https://b.example:8443/x"]


@pytest.mark.parametrize(
    ("kind", "url", "reason"),
    [
        ("host", "https://jobs.acme.example/y", None),
        ("host", "http://www.acme.example/", Reason.SCOPE),
        ("host", "https://b.example/", Reason.SCOPE),
        ("domain", "http://www.acme.example/", None),
        ("domain", "https://b.example/", None),
        ("domain", "http://acme.test/", Reason.SCOPE),
        ("any", "http://acme.test/", None),
        ("any", "http://acme.test/a.png", Reason.TYPE),
    ],
)
def test_scope_by_host(kind: str, url: str, reason: Reason | None) -> None:
    assert Scope.of(SEEDS, kind).verdict(url, 1) is reason  # type: ignore[arg-type]


def test_scope_by_pattern_and_depth_survives_pickling() -> None:
    scope = pickle.loads(
        pickle.dumps(Scope.of(SEEDS, "any", [r"/jobs?/", "career"], [r"\?page="], max_depth=2))
    )
    assert scope.verdict("http://x.example/job/1", 2) is None
    assert scope.verdict("http://x.example/careers", 0) is None
    assert scope.verdict("http://x.example/about", 0) is Reason.FILTER
    assert scope.verdict("http://x.example/jobs/?page=2", 0) is Reason.FILTER
    assert scope.verdict("http://x.example/job/1", 3) is Reason.DEPTH


def test_a_pattern_that_explodes_refuses_the_url_in_good_time() -> None:
    url = "http://x.example/" + "a" * 2000
    assert Scope.of([], "any", exclude=[r"(a|aa)+$(?<=b)"]).verdict(url, 0) is Reason.FILTER
    assert Scope.of([], "any", include=[r"(a|aa)+$(?<=b)"]).verdict(url, 0) is Reason.FILTER


def test_a_broken_pattern_is_named() -> None:
    with pytest.raises(UsageError, match=r"--exclude 'job\(' is not a regular expression"):
        Scope.of(SEEDS, exclude=["job("])
