"""Proxies: which one is used, the two handshakes, and what is refused on the way."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from graphcrawl.errors import UsageError
from graphcrawl.fetch import Fetcher, FetchSettings, parse_resolve
from graphcrawl.fetch.proxy import Proxies, Proxy, parse_proxy
from graphcrawl.models import Fetched, NotFetched, Reason
from graphcrawl.robots import judge

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[int]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def fetcher(proxy: Proxies, **more: object) -> Fetcher:
    return Fetcher(FetchSettings("test", connect_s=2, read_s=2, total_s=4, proxies=proxy, **more))  # type: ignore[arg-type]


def through(text: str) -> Proxies:
    return Proxies.choose(text)


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("http://p.example:3128", Proxy("http", "p.example", 3128)),
        ("p.example:3128", Proxy("http", "p.example", 3128)),
        ("http://p.example", Proxy("http", "p.example", 8080)),
        ("socks5://127.0.0.1", Proxy("socks5", "127.0.0.1", 1080)),
        ("socks5h://[::1]:9050/", Proxy("socks5h", "::1", 9050)),
        ("http://me:p%40ss@p.example:1", Proxy("http", "p.example", 1, "me", "p@ss")),
    ],
)
def test_addresses_of_proxies(text: str, proxy: Proxy) -> None:
    assert parse_proxy(text) == proxy
    assert "p@ss" not in repr(parse_proxy(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "http://",
        "ftp://p:1",
        "https://p:1",
        "http://p:99999",
        "http://p:x",
        "http://p/path",
        "socks4://p:1",
        "http://p:0",
        f"http://{'u' * 256}:x@p:1",
    ],
)
def test_what_is_no_proxy(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_proxy(text)
    assert error.value.hint


def test_a_wrong_address_does_not_show_its_password() -> None:
    with pytest.raises(UsageError) as error:
        parse_proxy("http://me:s3cret@p.example:99999")
    assert "s3cret" not in error.value.message + error.value.hint


def test_the_environment_is_read_as_others_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://one.example:1")
    monkeypatch.setenv("all_proxy", "socks5://all.example:2")
    monkeypatch.setenv("NO_PROXY", "near.example,10.0.0.1")
    found = Proxies.choose(None)
    for url, host in {
        "http://a.example/": "one.example",
        "https://a.example/": "all.example",
        "http://near.example/": None,
        "http://www.near.example/": None,
        "http://10.0.0.1/": None,
        "http://127.0.0.1:8080/": None,
        "http://localhost/": None,
        "http://[::1]/": None,
    }.items():
        proxy = found.for_url(url)
        assert (proxy.host if proxy else None) == host, url
    assert Proxies.choose("none").for_url("http://a.example/") is None
    mine = Proxies.choose("http://mine.example:3").for_url("http://127.0.0.1/")
    assert mine is not None
    assert mine.host == "mine.example"


async def test_plain_http_goes_in_the_absolute_form() -> None:
    heads: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):  # the connection is kept
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(PAGE)

    async with serving(proxy) as port, fetcher(through(f"http://me:pw@127.0.0.1:{port}")) as web:
        for path in ("a?b=1", "c"):
            outcome = await web.get(f"http://site.example:8080/{path}")
            assert isinstance(outcome, Fetched)
            assert outcome.body == b"hello"
    assert heads[0].startswith(b"GET http://site.example:8080/a?b=1 HTTP/1.1\r\n")
    assert b"Host: site.example:8080\r\n" in heads[0]
    assert b"Proxy-Authorization: Basic bWU6cHc=\r\n" in heads[1]


async def test_robots_txt_takes_the_same_way() -> None:
    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"GET http://site.example/robots.txt ")
        body = b"User-agent: *\nDisallow: /no\n"
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    async with serving(proxy) as port, fetcher(through(f"127.0.0.1:{port}")) as web:
        file = await web.download_robots("http://site.example:80")
    assert file.status == 200
    assert "Disallow: /no" in file.body


async def test_an_http_proxy_is_asked_to_connect_for_https() -> None:
    asked: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n")
        asked.append(await reader.read(3))

    async with serving(proxy) as port, fetcher(through(f"http://u:p@127.0.0.1:{port}")) as web:
        outcome = await web.get("https://site.example/")
    assert isinstance(outcome, NotFetched)
    assert outcome.reason is Reason.TLS
    assert asked[0].startswith(b"CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n")
    assert b"Proxy-Authorization: Basic dTpw\r\n" in asked[0]
    assert asked[1] == b"\x16\x03\x01"  # a TLS handshake begins


@pytest.mark.parametrize(
    ("answer", "said", "reason"),
    [
        (b"HTTP/1.1 407 Authentication Required\r\n\r\n", "refuses its user", Reason.PROXY),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "answers 502", Reason.CONNECT),  # of the host
        (b"SSH-2.0-OpenSSH\r\n\r\n", "does not answer as one", Reason.PROXY),
        (b"HTTP/1.1 200", "ended the connection", Reason.PROXY),
        (b"X" * 20_000, "does not answer as one", Reason.PROXY),
    ],
)
async def test_a_proxy_that_does_not_connect(answer: bytes, said: str, reason: Reason) -> None:
    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    async with serving(proxy) as port, fetcher(through(f"http://u:s3cret@127.0.0.1:{port}")) as web:
        outcome = await web.get("https://site.example/")
    assert isinstance(outcome, NotFetched)
    assert outcome.reason is reason
    assert outcome.host_fault is (reason is Reason.CONNECT)
    assert said in outcome.detail
    assert "s3cret" not in outcome.detail


async def socks(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    asked: list[bytes],
    *,
    method: int = 0,
    fault: int = 0,
) -> bool:
    """Play a SOCKS5 proxy as RFC 1928 has it; tell whether the connection stands."""
    _, count = await reader.readexactly(2)
    asked.append(await reader.readexactly(count))
    writer.write(bytes([5, method]))
    if method == 2:
        _, size = await reader.readexactly(2)
        user = await reader.readexactly(size)
        password = await reader.readexactly((await reader.readexactly(1))[0])
        asked.append(user + b":" + password)
        writer.write(b"\x01" + (b"\x00" if password == b"pw" else b"\x01"))
    elif method == 255:
        return False
    head = await reader.readexactly(4)
    size = {1: 4, 4: 16}.get(head[3]) or (await reader.readexactly(1))[0]
    target = await reader.readexactly(size)
    (port,) = struct.unpack("!H", await reader.readexactly(2))
    asked.append(head[3:] + target + str(port).encode())
    writer.write(bytes([5, fault, 0, 3, 4]) + b"here" + b"\x00\x01")
    return fault == 0


async def test_socks5h_lets_the_proxy_look_up_the_name() -> None:
    asked: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await socks(reader, writer, asked, method=2)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"GET /x HTTP/1.1\r\n")
        writer.write(PAGE)

    async with serving(proxy) as port, fetcher(through(f"socks5h://u:pw@127.0.0.1:{port}")) as web:
        outcome = await web.get("http://site.example:8080/x")
    assert isinstance(outcome, Fetched)
    assert asked == [b"\x00\x02", b"u:pw", b"\x03site.example8080"]


async def test_socks5_looks_up_names_here_and_sends_the_address() -> None:
    asked: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await socks(reader, writer, asked)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PAGE)

    async with serving(proxy) as port:
        async with fetcher(through(f"socks5://127.0.0.1:{port}"), allow_private=True) as web:
            assert isinstance(await web.get("http://localhost:8080/"), Fetched)
            assert isinstance(await web.get("http://[fd00::7]:8080/"), Fetched)
        async with fetcher(through(f"socks5://127.0.0.1:{port}")) as web:
            refused = await web.get("http://localhost:8080/")
    assert isinstance(refused, NotFetched)
    assert refused.reason is Reason.ADDRESS
    assert asked[1][:1] in (b"\x01", b"\x04")
    assert asked[3] == b"\x04" + bytes([0xFD, *([0] * 14), 7]) + b"8080"


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ({"method": 255}, "wants a user and a password"),
        ({"method": 2}, "refuses its user or password"),
        ({"fault": 5}, "cannot connect to site.example:80: connection refused"),
        ({"fault": 77}, "fault 77"),
    ],
)
async def test_a_socks_proxy_that_does_not_connect(played: dict[str, int], said: str) -> None:
    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await socks(reader, writer, [], **played)
        await writer.drain()

    address = "u:wrong@127.0.0.1" if played.get("method") == 2 else "127.0.0.1"
    async with serving(proxy) as port, fetcher(through(f"socks5h://{address}:{port}")) as web:
        outcome = await web.get("http://site.example/")
    assert isinstance(outcome, NotFetched)
    reason = Reason.CONNECT if "fault" in played else Reason.PROXY  # the host's, or the proxy's own
    assert (outcome.reason, said in outcome.detail) == (reason, True), outcome.detail


async def test_what_speaks_no_socks_and_what_does_not_answer() -> None:
    async def web_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(3)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with serving(web_server) as port, fetcher(through(f"socks5h://127.0.0.1:{port}")) as web:
        outcome = await web.get("http://site.example/")
    assert isinstance(outcome, NotFetched)
    assert "does not speak SOCKS5" in outcome.detail
    async with fetcher(through(f"http://127.0.0.1:{port}")) as web:  # it is closed by now
        outcome = await web.get("http://site.example/")
        file = await web.download_robots("http://site.example:80")
    assert isinstance(outcome, NotFetched)
    assert (outcome.reason, outcome.host_fault, outcome.requested) == (Reason.PROXY, False, False)
    assert "the proxy http://127.0.0.1" in outcome.detail
    assert (file.reachable, "the proxy http://127.0.0.1" in file.detail) == (False, True)
    verdict = judge("http://site.example/", file, None)
    assert verdict.reason is Reason.PROXY
    assert verdict.detail in file.detail


async def test_a_proxys_refusal_is_no_answer_of_the_host() -> None:
    """Else its robots.txt would count as missing, and all would be allowed for an hour."""

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

    async with serving(proxy) as port, fetcher(through(f"u:wrong@127.0.0.1:{port}")) as web:
        file = await web.download_robots("http://site.example:80")
        outcome = await web.get("http://site.example/")
    assert (file.status, file.reachable, file.cause) == (None, False, Reason.PROXY)
    assert isinstance(outcome, NotFetched)
    assert (outcome.reason, outcome.retry, outcome.host_fault) == (Reason.PROXY, True, False)
    assert "wrong" not in file.detail + outcome.detail
    async with serving(proxy) as port:  # a host that says so itself is like any other 4xx
        found = parse_resolve(f"site.example:80:127.0.0.1:{port}")
        async with fetcher(Proxies(), resolve=(found,)) as web:
            assert (await web.download_robots("http://site.example:80")).status == 407


@pytest.mark.parametrize("kind", ["http", "socks5h", "socks5"])
@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://localhost/", "http://169.254.169.254/", "http://[::1]/"]
)
async def test_private_addresses_are_refused_through_a_proxy_too(kind: str, url: str) -> None:
    connections = 0

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1

    async with serving(proxy) as port, fetcher(through(f"{kind}://127.0.0.1:{port}")) as web:
        outcome = await web.get(url)
    assert isinstance(outcome, NotFetched)
    assert outcome.reason is Reason.ADDRESS
    assert connections == 0


async def test_a_host_whose_address_the_user_named_is_asked_directly() -> None:
    async def site(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"GET / HTTP/1.1")
        writer.write(PAGE)

    async with serving(site) as port:
        resolve = (parse_resolve(f"site.example:80:127.0.0.1:{port}"),)
        async with fetcher(through("http://127.0.0.1:1"), resolve=resolve) as web:
            assert isinstance(await web.get("http://site.example/"), Fetched)
