"""The GET of a page against servers on loopback that behave, misbehave and break."""

import asyncio
import gzip
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, cast

import h2.config
import h2.connection
import h2.events
import pytest

from graphcrawl.fetch import Fetcher, FetchSettings, parse_resolve
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Reason, Redirected
from graphcrawl.robots import judge

PEM = Path(__file__).parents[1] / "data/tls/tls.example.pem"  # self-signed for tls.example
PAGE = b"<!doctype html><title>Page</title>" + b"<p>text</p>" * 1000

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Answers = dict[str, bytes | Handler]


@dataclass
class Server:
    """What a server on loopback was asked, and by how many connections."""

    port: int = 0
    heads: list[bytes] = field(default_factory=list)
    connections: int = 0
    lost: asyncio.Event = field(default_factory=asyncio.Event)  # a client went away

    def url(self, target: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{target}"

    @property
    def targets(self) -> list[str]:
        return [head.split()[1].decode() for head in self.heads]


def reply(body: bytes = PAGE, status: str = "200 OK", **headers: str) -> bytes:
    """Write a whole answer; underscores in header names stand for hyphens."""
    headers = {"Content_Type": "text/html", "Content_Length": str(len(body))} | headers
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items() if value]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode() + body


@asynccontextmanager
async def serving(
    answers: Answers | bytes, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    server = Server()
    talks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(cast("asyncio.Task[None]", asyncio.current_task()))
        server.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                server.heads.append(head)
                target = head.split()[1].decode()
                answer = answers if isinstance(answers, bytes) else answers[target]
                if isinstance(answer, bytes):
                    writer.write(answer)
                else:
                    await answer(reader, writer)
                    if writer.is_closing():
                        break
        server.lost.set()
        writer.close()

    listener = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks)


def fetcher(**settings: Any) -> Fetcher:
    defaults: dict[str, Any] = {"allow_private": True, "user_agent": "graphcrawl/0 (+test)"}
    return Fetcher(FetchSettings(**(defaults | settings)))


async def get(answer: bytes | Handler, **settings: Any) -> FetchOutcome:
    """Ask a server that gives one answer to everything."""
    async with serving({"/": answer}) as server, fetcher(**settings) as web:
        return await web.get(server.url())


async def failed(answer: bytes | Handler, **settings: Any) -> NotFetched:
    outcome = await get(answer, **settings)
    assert isinstance(outcome, NotFetched), outcome
    return outcome


# --- pages ----------------------------------------------------------------------------------------


async def test_a_page() -> None:
    answer = reply(
        Content_Type="Text/HTML; charset=ISO-8859-1",
        ETag='"a1"',
        Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT",
    )
    before = datetime.now(UTC)
    page = await get(answer)
    assert isinstance(page, Fetched)
    assert (page.status, page.body, page.truncated) == (200, PAGE, False)
    assert (page.content_type, page.charset) == ("text/html", "iso-8859-1")
    assert (page.etag, page.last_modified) == ('"a1"', "Mon, 01 Jan 2024 00:00:00 GMT")
    assert before <= page.fetched_at <= datetime.now(UTC)
    assert 0 < page.elapsed_s < 30


async def test_the_request_is_the_canonical_url_and_says_who_asks() -> None:
    targets = ["/Ticket%20%2376?x=1", "/c%2B%2B?a=c++&b={|}", "//a//b;c='d'", "/%25"]
    async with serving(reply()) as server, fetcher() as web:
        for target in targets:
            await web.get(server.url(target))
    assert server.targets == targets
    head = server.heads[0].decode()
    assert f"\r\nHost: 127.0.0.1:{server.port}\r\n" in head
    assert "\r\nUser-Agent: graphcrawl/0 (+test)\r\n" in head
    assert "\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n" in head


async def test_bodies_of_every_framing() -> None:
    async def chunked(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"", Content_Length="", Transfer_Encoding="chunked"))
        for byte in b"<p>x":
            writer.write(b"1\r\n" + bytes([byte]) + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    async def until_closed(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"<p>x", Content_Length=""))
        writer.close()

    packed = reply(gzip.compress(b"<p>x"), Content_Encoding="gzip")
    for answer in (reply(b"<p>x"), chunked, until_closed, packed):
        page = await get(answer)
        assert isinstance(page, Fetched)
        assert (page.body, page.truncated) == (b"<p>x", False)


async def test_pages_without_content() -> None:
    for answer in (reply(b""), reply(b"", "204 No Content", Content_Type="", Content_Length="")):
        page = await get(answer)
        assert isinstance(page, Fetched)
        assert page.body == b""


async def test_wrong_types_are_cut_off_after_the_head() -> None:
    async def endless(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"", Content_Type="video/mp4", Content_Length=str(10**12)))
        while not writer.is_closing():
            writer.write(bytes(65536))
            await writer.drain()

    outcome = await failed(endless)
    assert outcome.reason is Reason.TYPE
    assert outcome.status == 200
    assert not outcome.retry
    assert not outcome.host_fault


async def test_endless_bodies_are_refused_or_cut() -> None:
    def endless(start: bytes) -> Handler:
        async def send(_: Any, writer: asyncio.StreamWriter) -> None:
            writer.write(reply(start, Content_Length=""))
            with suppress(ConnectionError):
                while not writer.is_closing():
                    writer.write(b"<x>" * 20_000)
                    await writer.drain()

        return send

    assert (await failed(endless(b"<html>"), max_body_bytes=2**20)).reason is Reason.TOO_BIG
    feed = await get(endless(b"<?xml version='1.0'?>"), max_feed_bytes=2**20)
    assert isinstance(feed, Fetched)
    assert feed.truncated
    assert len(feed.body) == 2**20


async def test_a_feed_that_breaks_off_or_never_ends_is_kept_as_far_as_it_came(
    tmp_path: Path,
) -> None:
    start = b"<?xml version='1.0'?><source>"

    def feed(size_bytes: int, said: str, *, drips: bool = False) -> Handler:
        async def send(_: Any, writer: asyncio.StreamWriter) -> None:
            writer.write(reply(start, Content_Type="text/xml", Content_Length=said))
            writer.write(b"x" * (size_bytes - len(start)))
            with suppress(ConnectionError):
                while drips:
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.01)
            await writer.drain()
            writer.close()

        return send

    cut = await get(feed(5000, "9000"))
    assert isinstance(cut, Fetched)
    assert (len(cut.body), cut.ended, cut.unread_bytes) == (5000, "connection", 4000)
    assert cut.truncated
    assert (await failed(feed(900, "9000"))).reason is Reason.READ  # too little to know it by

    large = 3 * 2**20
    settings: dict[str, Any] = {"spool": tmp_path, "total_s": 1.0, "feed_s": 2.0}
    slow = await get(feed(large, "9000000", drips=True), **settings)
    assert isinstance(slow, Fetched)
    assert slow.ended == "time"
    assert 2 <= slow.elapsed_s < 4
    assert slow.size_bytes == Path(slow.spooled).stat().st_size >= large
    assert slow.unread_bytes == 9_000_000 - slow.size_bytes
    long = await get(feed(large, "9000000"), max_feed_bytes=5 * 2**19, **settings)
    assert isinstance(long, Fetched)
    assert (long.size_bytes, long.ended) == (5 * 2**19, "size")
    assert long.unread_bytes == 9_000_000 - 5 * 2**19

    stuck = feed(large, "9000000", drips=True)
    async with serving({"/": stuck}) as server, fetcher(**settings) as web:
        visit = asyncio.create_task(web.get(server.url()))
        await asyncio.sleep(0.5)
        visit.cancel()
        await asyncio.gather(visit, return_exceptions=True)
    assert {str(file) for file in tmp_path.iterdir()} == {slow.spooled, long.spooled}


# --- redirects and refusals -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/neu", "{base}/neu"),
        ("neu?x=1#y", "{base}/a/neu?x=1"),
        ("../neu/", "{base}/neu/"),
        ("//other.example/", "http://other.example/"),
        ("HTTPS://Other.example:443", "https://other.example/"),
        ("/b%c3%bc cher", "{base}/b%C3%BC%20cher"),
        ("/bücher", "{base}/b%C3%BCcher"),
        ("mailto:a@b.example", ""),
        ("http://[broken/", ""),
    ],
)
async def test_redirects_are_told_not_followed(location: str, target: str) -> None:
    answer = reply(b"moved", "302 Found", Location=location)
    async with serving({"/a/alt": answer.decode().encode("utf-8")}) as server, fetcher() as web:
        outcome = await web.get(server.url("/a/alt"))
        assert isinstance(outcome, Redirected)
        assert outcome.target == target.format(base=server.url("").rstrip("/"))
        assert outcome.raw == location
        assert server.targets == ["/a/alt"]


@pytest.mark.parametrize(
    ("status", "permanent"), [(301, True), (302, False), (303, False), (307, False), (308, True)]
)
async def test_permanent_redirects(status: int, permanent: bool) -> None:
    outcome = await get(reply(b"", f"{status} Moved", Location="/b"))
    assert isinstance(outcome, Redirected)
    assert outcome.status == status
    assert outcome.permanent is permanent


@pytest.mark.parametrize("status", ["301 Moved", "304 Not Modified", "300 Choices"])
async def test_redirects_to_nowhere(status: str) -> None:
    outcome = await failed(reply(b"", status, Content_Length="0"))
    assert outcome.reason is Reason.PROTOCOL
    assert outcome.detail.startswith(f"status {status[:3]}")


async def test_bytes_of_a_location_that_are_no_utf_8_are_escaped() -> None:
    """As Chromium (EscapeNonASCII of the header) and w3lib (scrapy #2321) read them."""
    answer = reply(b"", "301 Moved", Location="/b?").replace(b"/b?", b"/b\xfccher")
    outcome = await get(answer)
    assert isinstance(outcome, Redirected)
    assert outcome.target.endswith("/b%FCcher")


@pytest.mark.parametrize(
    ("status", "reason", "retry", "host_fault"),
    [
        (400, Reason.HTTP_CLIENT, False, False),
        (404, Reason.HTTP_CLIENT, False, False),
        (408, Reason.HTTP_CLIENT, True, False),
        (410, Reason.HTTP_CLIENT, False, False),
        (429, Reason.TOO_MANY_REQUESTS, True, True),
        (500, Reason.HTTP_SERVER, True, False),
        (503, Reason.HTTP_SERVER, True, True),
        (599, Reason.HTTP_SERVER, True, False),
        (600, Reason.PROTOCOL, False, False),
    ],
)
async def test_refusals(status: int, reason: Reason, retry: bool, host_fault: bool) -> None:
    outcome = await failed(reply(b"no", f"{status} No"))
    assert outcome.status == status
    assert outcome.reason is reason
    assert outcome.retry is retry
    assert outcome.host_fault is host_fault
    assert outcome.requested


NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("3", "", 3.0),
        ("86400", "", 86400.0),
        ("0", "", 0.0),
        ("9" * 400, "", 1e9),
        ("-5", "", None),
        ("1.5", "", None),
        ("soon", "", None),
        ("", "", None),
        ("Mon, 01 Jan 2024 12:00:04 GMT", format_datetime(NOON, usegmt=True), 4.0),
        ("Monday, 01-Jan-24 12:00:04 GMT", format_datetime(NOON, usegmt=True), 4.0),
        ("Mon Jan  1 12:00:04 2024", format_datetime(NOON, usegmt=True), 4.0),
        ("Mon, 01 Jan 2024 11:59:59 GMT", format_datetime(NOON, usegmt=True), None),
        ("Mon, 99 Jan 2024 12:00:04 GMT", "", None),
    ],
)
async def test_retry_after(status: int, value: str, date: str, seconds: float | None) -> None:
    outcome = await failed(reply(b"", f"{status} Wait", Retry_After=value, Date=date))
    assert outcome.retry_after_s == seconds
    assert outcome.retry


async def test_retry_after_by_our_own_clock() -> None:
    until = datetime.now(UTC) + timedelta(seconds=100)
    answer = reply(b"", "503 Wait", Retry_After=format_datetime(until, usegmt=True))
    assert 90 < ((await failed(answer)).retry_after_s or 0) <= 100


# --- faults ---------------------------------------------------------------------------------------


async def test_a_dripping_body_ends_with_the_total_limit() -> None:
    async def drip(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"", Content_Length="3000"))
        while not writer.is_closing():
            writer.write(b"<")
            await asyncio.sleep(0.01)

    outcome = await failed(drip, read_s=5, total_s=0.2)
    assert outcome.reason is Reason.TIMEOUT
    assert outcome.detail == "not complete within 0.2 s"
    assert outcome.retry
    assert not outcome.host_fault  # it answered


async def test_a_dripping_head_and_a_silent_server() -> None:
    async def drip(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        while not writer.is_closing():
            writer.write(b"x")
            await asyncio.sleep(0.01)

    async def silence(reader: asyncio.StreamReader, _: Any) -> None:
        await reader.read()

    for outcome in (await failed(drip, total_s=0.2), await failed(silence, read_s=0.1)):
        assert outcome.reason is Reason.TIMEOUT
        assert outcome.retry
        assert outcome.host_fault
    assert outcome.detail == "nothing arrived for 0.1 s"


async def test_bodies_shorter_than_promised() -> None:
    async def short(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(PAGE, Content_Length=str(len(PAGE) + 1)))
        writer.close()

    async def unfinished_chunks(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"4\r\n<p>x\r\n", Content_Length="", Transfer_Encoding="chunked"))
        writer.close()

    async def reset(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(PAGE, Content_Length=str(10**6)))
        await writer.drain()
        linger = b"\1\0\0\0\0\0\0\0"  # on, 0 s: a reset instead of an orderly end
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()

    for answer in (short, unfinished_chunks, reset):
        outcome = await failed(answer)
        assert outcome.reason is Reason.READ
        assert outcome.retry
        assert not outcome.host_fault
        assert outcome.status == 200


async def test_connections_closed_without_an_answer() -> None:
    async def close(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.close()

    outcome = await failed(close)
    assert outcome.reason is Reason.READ
    assert outcome.retry
    assert outcome.host_fault
    assert outcome.requested


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbroken header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
)
async def test_what_is_no_http(garbage: bytes) -> None:
    outcome = await failed(garbage)
    assert outcome.reason is Reason.PROTOCOL
    assert not outcome.retry


async def test_nobody_listens() -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        async with fetcher() as web:
            outcome = await web.get(f"http://127.0.0.1:{reserved.getsockname()[1]}/")
    assert isinstance(outcome, NotFetched)
    assert outcome.reason is Reason.CONNECT
    assert outcome.retry
    assert outcome.host_fault
    assert not outcome.requested


async def test_private_addresses_are_refused_before_anything_is_sent() -> None:
    async with serving(reply()) as server:
        async with fetcher(allow_private=False) as web:
            outcome = await web.get(server.url())
        assert isinstance(outcome, NotFetched)
        assert outcome.reason is Reason.ADDRESS
        assert not (outcome.retry or outcome.host_fault or outcome.requested)
        assert server.connections == 0
        resolve = (parse_resolve(f"docs.example:{server.port}:127.0.0.1"),)
        async with fetcher(allow_private=False, resolve=resolve) as web:
            page = await web.get(f"http://docs.example:{server.port}/")
        assert isinstance(page, Fetched)
        assert f"Host: docs.example:{server.port}\r\n".encode() in server.heads[0]


def answer_names(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (address, 0)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


async def test_names_that_do_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_names(monkeypatch)
    async with fetcher() as web:
        outcome = await web.get("http://none.example/")
    assert isinstance(outcome, NotFetched)
    assert outcome.reason is Reason.DNS
    assert outcome.detail == "none.example: Name or service not known"
    assert outcome.retry
    assert outcome.host_fault
    assert not outcome.requested


async def test_the_next_address_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_names(monkeypatch, "127.0.0.9", "127.0.0.1")  # the first refuses
    async with serving(reply()) as server, fetcher() as web:
        assert isinstance(await web.get(f"http://two.example:{server.port}/"), Fetched)


async def test_a_cancelled_fetch_closes_its_connection() -> None:
    async def silence(reader: asyncio.StreamReader, _: Any) -> None:
        await reader.read()

    async with serving({"/": silence}) as server, fetcher() as web:
        task = asyncio.create_task(web.get(server.url()))
        while not server.heads:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.lost.wait(), 5)


# --- connections ----------------------------------------------------------------------------------


async def test_a_connection_is_used_again_also_after_errors_and_redirects() -> None:
    answers: Answers = {
        "/": reply(),
        "/gone": reply(PAGE, "404 Not Found"),
        "/old": reply(b"moved", "301 Moved", Location="/"),
    }
    async with serving(answers) as server, fetcher() as web:
        for target in ["/", "/gone", "/old", "/", "/"]:
            await web.get(server.url(target))
        assert server.connections == 1


async def test_a_connection_with_an_unread_rest_is_not_used_again() -> None:
    answers: Answers = {
        "/": reply(),
        "/film": reply(PAGE, Content_Type="video/mp4"),
        "/long": reply(bytes(10**6), "404 Not Found"),
    }
    async with serving(answers) as server, fetcher() as web:
        for target in ["/film", "/long", "/"]:
            await web.get(server.url(target))
        assert server.connections == 3


async def test_a_connection_that_the_server_gave_up_is_replaced() -> None:
    async def once(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply())
        await writer.drain()
        writer.close()

    async def once_and_a_word_more(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(reply())
        await asyncio.sleep(0.05)
        writer.write(reply(b"", "408 Request Timeout"))  # nobody asked

    for answer in (once, once_and_a_word_more):
        async with serving({"/": answer}) as server, fetcher() as web:
            for _ in range(3):
                assert isinstance(await web.get(server.url()), Fetched)
                await asyncio.sleep(0.1)
            assert server.connections == 3


async def test_a_connection_that_breaks_under_the_second_request_is_replaced() -> None:
    served = 0

    async def every_other(_: Any, writer: asyncio.StreamWriter) -> None:
        nonlocal served
        served += 1
        if served % 2:
            writer.write(reply())
        else:
            writer.close()

    async with serving({"/": every_other}) as server, fetcher() as web:
        assert isinstance(await web.get(server.url()), Fetched)
        assert isinstance(await web.get(server.url()), Fetched)
        assert server.connections == 2
        assert len(server.heads) == 3


async def test_idle_connections_are_few() -> None:
    async with serving(reply()) as server:
        resolve = (parse_resolve(f"*:{server.port}:127.0.0.1"),)
        async with fetcher(resolve=resolve, concurrency=2) as web:
            for n in range(9):
                await web.get(f"http://h{n}.example:{server.port}/")
            assert server.connections == 9
            for n in (5, 6, 7, 8):  # the last four were kept
                await web.get(f"http://h{n}.example:{server.port}/")
            assert server.connections == 9
            await web.get(f"http://h0.example:{server.port}/")
            assert server.connections == 10


# --- TLS ------------------------------------------------------------------------------------------


def server_tls(*protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    context.set_alpn_protocols(list(protocols))
    return context


async def test_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(PEM))
    page = b"<html>" + b"<p>text</p>" * 300_000
    async with serving(reply(page), server_tls("http/1.1")) as server:
        resolve = (parse_resolve(f"*:{server.port}:127.0.0.1"),)
        async with fetcher(resolve=resolve) as web:
            for _ in range(2):
                outcome = await web.get(f"https://tls.example:{server.port}/")
                assert isinstance(outcome, Fetched)
                assert outcome.body == page
            wrong_name = await web.get(f"https://other.example:{server.port}/")
        assert server.connections == 1
    assert isinstance(wrong_name, NotFetched)
    assert wrong_name.reason is Reason.TLS


async def test_tls_faults() -> None:
    async with serving(reply(), server_tls("http/1.1")) as server, fetcher() as web:
        unknown_issuer = await web.get(f"https://127.0.0.1:{server.port}/")
    assert isinstance(unknown_issuer, NotFetched)
    assert unknown_issuer.reason is Reason.TLS
    assert "self-signed certificate" in unknown_issuer.detail
    assert not (unknown_issuer.retry or unknown_issuer.requested)

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(reply(b"", "400 Bad Request"))
        writer.close()

    listener = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with listener, fetcher() as web:
        port = listener.sockets[0].getsockname()[1]
        no_tls = await web.get(f"https://127.0.0.1:{port}/")
    assert isinstance(no_tls, NotFetched)
    assert no_tls.reason is Reason.TLS


async def test_http_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(PEM))
    seen: list[tuple[int, dict[bytes, bytes]]] = []  # by connection
    connections = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        config = h2.config.H2Configuration(client_side=False, header_encoding=None)
        connection = h2.connection.H2Connection(config)
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    head = dict(event.headers)
                    seen.append((connections, head))
                    is_film = head[b":path"] == b"/film"
                    media_type = "video/mp4" if is_film else "text/html"
                    connection.send_headers(
                        event.stream_id, [(":status", "200"), ("content-type", media_type)]
                    )
                    connection.send_data(event.stream_id, PAGE, end_stream=not is_film)
            writer.write(connection.data_to_send())
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=server_tls("h2"))
    port = server.sockets[0].getsockname()[1]
    async with server, fetcher(resolve=(parse_resolve(f"*:{port}:127.0.0.1"),)) as web:
        for target in ("/%2376", "/film", "/last"):
            outcome = await web.get(f"https://tls.example:{port}{target}")
            if target != "/film":
                assert isinstance(outcome, Fetched)
                assert outcome.body == PAGE
    # the rest of the film would have come in between
    assert [(n, head[b":path"]) for n, head in seen] == [
        (1, b"/%2376"),
        (1, b"/film"),
        (2, b"/last"),
    ]
    assert seen[0][1][b":authority"] == f"tls.example:{port}".encode()


# --- robots.txt -----------------------------------------------------------------------------------

RULES = b"\xef\xbb\xbfUser-agent: *\nDisallow: /private/\n"


async def test_robots_txt() -> None:
    async with serving({"/robots.txt": reply(RULES, Content_Type="")}) as server, fetcher() as web:
        file = await web.download_robots(server.url(""))
    assert file.origin == server.url("")
    assert (file.status, file.body) == (200, RULES[3:].decode())
    assert file.reachable


async def test_robots_txt_is_followed_over_five_redirects_to_other_hosts() -> None:
    answers: Answers = {
        f"/{n}": reply(b"x", "302 Found", Location=f"/{n + 1}") for n in range(1, 5)
    }
    answers["/5"] = reply(RULES)
    async with serving(answers) as server:
        answers["/robots.txt"] = reply(
            b"", "301 Moved", Location=f"http://err2.example:{server.port}/1"
        )
        resolve = (parse_resolve(f"*:{server.port}:127.0.0.1"),)
        async with fetcher(resolve=resolve) as web:
            origin = f"http://moved.example:{server.port}"
            file = await web.download_robots(origin)
            assert (file.origin, file.status) == (origin, 200)
            assert "Disallow: /private/" in file.body
            assert server.targets == ["/robots.txt", "/1", "/2", "/3", "/4", "/5"]
            assert b"Host: err2.example" in server.heads[1]
            answers["/5"] = reply(b"x", "302 Found", Location="/6")
            file = await web.download_robots(origin)
            assert (file.status, file.body) == (302, "")
            assert "/6" not in server.targets


async def test_without_a_contact_no_robots_txt_is_asked_of_a_public_host() -> None:
    async with serving(reply(RULES)) as own:
        resolve = (parse_resolve(f"mine.example:80:127.0.0.1:{own.port}"),)
        settings = FetchSettings("test", allow_private=True, resolve=resolve, anonymous=True)
        for host, cause in (("public.example", Reason.CONTACT), ("mine.example", None)):
            moved = reply(b"", "302 Found", Location=f"http://{host}/robots.txt")
            async with serving(moved) as server, Fetcher(settings) as web:
                file = await web.download_robots(f"http://127.0.0.1:{server.port}")
            assert file.cause is cause
            verdict = judge("http://127.0.0.1/", file, None)
            assert verdict.reason is cause
            assert (host in verdict.detail) is (cause is not None)


async def test_robots_txt_of_a_redirect_to_a_private_address() -> None:
    async with serving(reply(RULES)) as inner:
        moved = reply(b"", "301 Moved", Location=inner.url("/robots.txt"))
        async with serving(moved) as server:
            resolve = (parse_resolve(f"moved.example:{server.port}:127.0.0.1"),)
            async with fetcher(allow_private=False, resolve=resolve) as web:
                file = await web.download_robots(f"http://moved.example:{server.port}")
        assert inner.connections == 0
    assert (file.status, file.cause) == (None, Reason.ADDRESS)


async def test_error_pages_in_place_of_robots_txt_are_not_rules() -> None:
    for status in ("404 Not Found", "503 Busy"):
        async with serving(reply(b"<pre>Disallow: /</pre>", status)) as server, fetcher() as web:
            file = await web.download_robots(server.url(""))
        assert (file.status, file.body) == (int(status[:3]), "")


async def test_robots_txt_says_when_to_come_back() -> None:
    async with serving(reply(b"", "503 Busy", Retry_After="600")) as server, fetcher() as web:
        file = await web.download_robots(server.url(""))
    assert file.expires_at - file.fetched_at == timedelta(seconds=600)


async def test_robots_txt_that_cannot_be_had() -> None:
    async def close(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def silence(reader: asyncio.StreamReader, _: Any) -> None:
        await reader.read()

    for answer, cause in ((close, Reason.READ), (silence, Reason.TIMEOUT)):
        async with serving({"/robots.txt": answer}) as server, fetcher(total_s=0.2) as web:
            file = await web.download_robots(server.url(""))
        assert (file.status, file.body, file.cause) == (None, "", cause)
        assert not file.reachable


async def test_robots_txt_that_is_cut_short_decides_nothing() -> None:
    """Half of the rules would open what the other half closes."""
    packed = gzip.compress(RULES + b"Disallow: /x\n" * 2000)
    answer = reply(packed[: len(packed) // 2], Content_Encoding="gzip")
    async with serving(answer) as server, fetcher() as web:
        file = await web.download_robots(server.url(""))
    assert (file.status, file.cause, file.reachable) == (None, Reason.READ, False)


async def test_several_headers_of_one_name_are_kept_as_wishes() -> None:
    answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: otherbot: noindex\r\n"
        b"x-robots-tag: nofollow\r\nTDM-Reservation: 1\r\nX-Other: 1\r\nContent-Length: 2\r\n\r\nok"
    )
    async with serving(answer) as server, fetcher() as web:
        page = await web.get(server.url())
    assert isinstance(page, Fetched)
    assert page.wish_lines == (
        ("x-robots-tag", "otherbot: noindex"),
        ("x-robots-tag", "nofollow"),
        ("tdm-reservation", "1"),
    )


async def test_robots_txt_without_end_is_cut_after_a_mebibyte() -> None:
    rules = RULES + b"Disallow: /x\n" * 200_000
    answer = reply(gzip.compress(rules), Content_Encoding="gzip")
    async with serving(answer) as server, fetcher() as web:
        file = await web.download_robots(server.url(""))
    whole = rules[3 : 2**20].rpartition(b"\n")[0] + b"\n"  # half a rule may close the host
    assert file.body.encode() == whole
