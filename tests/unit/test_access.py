"""What a crawl shows to be let in, and to whom it shows it."""

from pathlib import Path

import pytest

from graphcrawl.config import load_settings
from graphcrawl.crawl.fetching import credentials, fetch_settings
from graphcrawl.errors import SettingsError, UsageError
from graphcrawl.fetch import robots_agent, user_agent
from graphcrawl.fetch.access import Access, basic, bearer, read_cookies, read_headers

COOKIES = """# Netscape HTTP Cookie File
a.example\tFALSE\t/\tFALSE\t0\tplain\t1
.b.example\tTRUE\t/in\tFALSE\t0\tbelow\t2
a.example\tFALSE\t/\tTRUE\t0\tsafe\t3
#HttpOnly_a.example\tFALSE\t/\tFALSE\t0\thidden\t4
a.example\tFALSE\t/\tFALSE\t1000\told\t5
"""


def sent(access: Access, url: str) -> dict[bytes, bytes]:
    return dict(access.headers_for(url))


def test_basic_and_bearer_are_what_their_rfcs_say() -> None:
    assert basic("Aladdin", "open sesame") == b"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="  # RFC 7617 §2
    assert basic("test", "123\u00a3") == b"Basic dGVzdDoxMjPCow=="  # RFC 7617 §2.1
    assert bearer("mF_9.B5f-4.1JqM") == b"Bearer mF_9.B5f-4.1JqM"  # RFC 6750 §2.1


@pytest.mark.parametrize(
    ("name", "url", "goes"),
    [
        ("a.example", "https://a.example/x", True),
        ("a.example", "http://a.example/x", False),  # in the clear
        ("a.example:80", "http://a.example/x", True),
        ("a.example:443", "https://a.example/x", True),
        ("a.example:80", "https://a.example/x", False),
        ("a.example", "https://a.example:8443/x", False),
        ("a.example:8443", "https://a.example:8443/x", True),
        ("a.example:8080", "http://a.example:8080/x", True),
        ("a.example", "https://www.a.example/x", False),
        ("www.a.example", "https://a.example/x", False),
        ("a.example", "https://a.example.evil.example/", False),
        ("127.0.0.1:80", "http://127.0.0.1/", True),
    ],
)
def test_credentials_go_to_their_host_alone(name: str, url: str, goes: bool) -> None:
    assert sent(Access(credentials={name: b"Bearer x"}), url) == (
        {b"Authorization": b"Bearer x"} if goes else {}
    )


@pytest.mark.parametrize(
    ("url", "cookie"),
    [
        ("http://a.example/", b"plain=1; hidden=4"),
        ("https://a.example/", b"plain=1; safe=3; hidden=4"),
        ("http://www.a.example/", None),
        ("http://www.b.example/in/deep", b"below=2"),
        ("http://www.b.example/", None),
        ("http://evil-b.example/in/", None),
    ],
)
def test_cookies_go_where_their_file_says(tmp_path: Path, url: str, cookie: bytes | None) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(COOKIES)
    found = sent(Access(cookies=read_cookies(file)), url).get(b"Cookie")
    assert (found and set(found.split(b"; "))) == (cookie and set(cookie.split(b"; ")))


def test_a_cookie_file_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "other").write_text('{"cookies": []}')
    for path in (tmp_path / "missing", tmp_path / "other", tmp_path):
        with pytest.raises(SettingsError, match="Cannot read the cookies"):
            read_cookies(path)


def test_headers() -> None:
    found = read_headers(["Accept-Language: de, en;q=0.5", "X-A:b", "X-Empty:"])
    assert found == (
        (b"Accept-Language", b"de, en;q=0.5"),
        (b"X-A", b"b"),
        (b"X-Empty", b""),
    )


@pytest.mark.parametrize(
    "line",
    [
        "no colon",
        ": x",
        "A b: c",
        "X: a\r\nY: b",
        "X: \x00",
        "Schlüssel: x",
        "X: \u20ac",
        "Host: x",
        "authorization: Bearer x",
        "Cookie: a=b",
        "Content-Length: 3",
        "TE: x",
    ],
)
def test_headers_that_must_not_be_sent(line: str) -> None:
    with pytest.raises(SettingsError) as error:
        read_headers([line])
    assert error.value.hint


def test_a_broken_header_does_not_show_its_value() -> None:
    with pytest.raises(SettingsError) as error:
        read_headers(["X-Key: s3cret\x07"])
    assert "s3cret" not in f"{error.value.message} {error.value.hint}"


@pytest.mark.parametrize(
    ("product", "contact", "agent"),
    [
        ("mybot/2.0", "me@a.example", "mybot/2.0 (+me@a.example)"),
        ("mybot", None, "mybot"),
        ("mybot/1 (+me@a.example)", "me@a.example", "mybot/1 (+me@a.example)"),
        ("my_bot-x/1.0 like others", None, "my_bot-x/1.0 like others"),
    ],
)
def test_a_name_of_ones_own(product: str, contact: str | None, agent: str) -> None:
    assert user_agent(contact, product) == agent
    assert robots_agent(product) == product.split("/", maxsplit=1)[0]


def test_robots_are_asked_for_graphcrawl_by_default() -> None:
    assert robots_agent(None) == "graphcrawl"


@pytest.mark.parametrize(
    "product", ["", " ", "/1.0", "9bot/1", "bot\r\nX: y", "böt/1", "bot/1\u200b"]
)
def test_names_that_cannot_be_sent(product: str) -> None:
    with pytest.raises(SettingsError):
        user_agent(None, product)


def test_secrets_come_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_PASSWORD", "open sesame")
    (tmp_path / "token").write_text("abc\n")
    settings = load_settings(
        hosts={
            "a.example": {"username": "Aladdin", "password": "env:SITE_PASSWORD"},
            "b.example:8080": {"token": f"file:{tmp_path / 'token'}"},
            "c.example": {"delay": 3},
        }
    )
    assert credentials(settings.hosts) == {
        "a.example": b"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "b.example:8080": b"Bearer abc",
    }
    assert "sesame" not in settings.model_dump_json()
    assert "QWxh" not in repr(fetch_settings(settings))


@pytest.mark.parametrize(
    "own",
    [
        {"username": "x"},
        {"password": "env:HOME"},
        {"token": "env:GRAPHCRAWL_NO_SUCH"},
        {"token": "file:/nowhere/at/all"},
        {"token": "env:HOME", "username": "x", "password": "env:HOME"},
        {"token": "abcdef"},  # a secret in the settings
        {"password": "env:", "username": "x"},
    ],
)
def test_credentials_that_are_not_whole(own: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as error:
        credentials(load_settings(hosts={"a.example": own}).hosts)
    assert error.value.hint
    assert "abcdef" not in error.value.message


def test_settings_are_read_before_anything_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    for crawl in (
        {"proxy": "ftp://p.example:1"},
        {"cookies": "/nowhere/cookies.txt"},
        {"headers": ("Host: x",)},
        {"user_agent": "9"},
    ):
        with pytest.raises(UsageError):
            fetch_settings(load_settings(crawl=crawl))
