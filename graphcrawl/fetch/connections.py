"""Carries requests to servers and answers back, over connections that are kept.

httpcore, the engine of httpx, speaks HTTP/1.1 and HTTP/2. Its connections are used directly: its
pool looks at every connection for every request, which costs several times the request itself.
Whatever its parts raise when a server breaks the rules is one error here.
"""

import asyncio
import itertools
import ssl
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

import httpcore
import httpx

from graphcrawl.fetch.access import Access
from graphcrawl.fetch.addresses import Resolver
from graphcrawl.fetch.proxied import ProxyDialer
from graphcrawl.fetch.proxy import Proxies, Proxy
from graphcrawl.fetch.streams import FRAMING_BYTES, HEAD_BYTES, ConnectError, Dialer
from graphcrawl.fetch.throttle import Throttle
from graphcrawl.models import Reason
from graphcrawl.urls import host_key, host_name

KEEP_ALIVE_S = 15.0
_DRAIN_BYTES = 64 * 1024  # reading the rest of a short answer is cheaper than a new connection
_DRAIN_S = 1.0
_PROXY_AUTH = 407  # RFC 9110 §15.5.8: from a proxy only
_CHUNKS_A_TURN = 64  # of a body, before the other tasks get theirs
_CUT_OFF = ("Server disconnected", "peer closed connection")  # how httpcore and h11 begin it

_ERRORS = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)
_GIVEN_UP = (
    httpcore.ReadError,
    httpcore.WriteError,
    httpcore.RemoteProtocolError,
    httpcore.ConnectionNotAvailable,
)


class ExchangeError(Exception):
    """A request got no complete answer.

    Attributes:
        reason: DNS, ADDRESS, CONNECT, TLS, TIMEOUT, READ or PROTOCOL.
        detail: One line for people.
        sent: Whether the server was reached at all.
    """

    def __init__(self, reason: Reason, detail: str, *, sent: bool = True) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.sent = sent


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds for a connection (name, TCP, TLS each) and for silence in an answer."""

    connect_s: float = 10.0
    read_s: float = 15.0


@dataclass(slots=True)
class Answer:
    """The head of an answer; the body comes by `chunks`."""

    status: int
    headers: dict[bytes, bytes]  # names in lower case; of several, the first
    _response: httpcore.Response = field(repr=False)
    _dialer: Dialer = field(repr=False)
    lines: Sequence[tuple[bytes, bytes]] = ()  # all headers as sent
    complete: bool = False  # the body was read to its end

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, transfer encoding undone."""
        stream: AsyncGenerator[bytes, None] = self._response.aiter_stream()  # type: ignore[assignment]
        async with aclosing(stream):
            for number in itertools.count(1):
                with _faults_named():
                    chunk = await anext(stream, None)
                if chunk is None:
                    break
                self._dialer.allow_more(2 * len(chunk))
                yield chunk
                if number % _CHUNKS_A_TURN == 0:  # thousands of tiny ones may lie in the buffer
                    await asyncio.sleep(0)
        self.complete = True

    async def drain(self) -> None:
        """Read a short rest of the body away, so that the connection can be used again."""
        size = 0
        with suppress(TimeoutError, *_ERRORS):
            async with asyncio.timeout(_DRAIN_S), aclosing(self.chunks()) as chunks:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > _DRAIN_BYTES:
                        return

    @property
    def is_framed_once(self) -> bool:
        """Whether its length is said in one way only.

        Source: RFC 9112 §6.3: a connection whose answer says both ways is closed.
        """
        return not (b"content-length" in self.headers and b"transfer-encoding" in self.headers)

    def text(self, name: bytes) -> str:
        """Return a header as text, "" where there is none; not everybody sends ASCII."""
        value = self.headers.get(name, b"").strip()
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.decode("latin-1")


@dataclass(frozen=True, slots=True)
class _Line:
    """A connection, and the dialer that has its bytes in hand."""

    connection: httpcore.AsyncHTTPConnection
    dialer: Dialer

    async def close(self) -> None:
        with suppress(Exception):  # h2 says farewell first, and may find that it may not
            await self.connection.aclose()
        self.dialer.abort()

    @property
    def reusable(self) -> bool:
        """Whether the next answer would begin where this one ended.

        What a server sends behind an answer is no answer to the next request. h11 keeps such bytes
        in its buffer, where only its own attribute shows them.
        """
        inner = self.connection._connection
        if isinstance(inner, httpcore.AsyncHTTP11Connection) and inner._h11_state.trailing_data[0]:
            return False
        return self.connection.is_idle()


def _by_name(headers: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by name: the first of several, but all links of a page."""
    by_name = {name.lower(): value for name, value in reversed(headers)}
    if b"link" in by_name:  # Source: RFC 9110 §5.3
        by_name[b"link"] = b", ".join(v for name, v in headers if name.lower() == b"link")
    return by_name


class Connections:
    """Idle connections by origin, and the way to open new ones.

    Args:
        resolver: Knows the addresses that may be connected to.
        headers: Sent with every request.
        limits: Seconds to wait.
        max_idle: Connections kept open while nobody uses them.
        access: What single hosts get besides.
        proxies: Which connections go through others.
        throttle: Slows down reading; none: nothing does.
    """

    def __init__(
        self,
        resolver: Resolver,
        headers: Iterable[tuple[bytes, bytes]],
        limits: TimeLimits,
        max_idle: int,
        access: Access | None = None,
        proxies: Proxies | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        self._resolver, self._throttle = resolver, throttle
        self._access, self._proxies = access or Access(), proxies or Proxies()
        own = {name.lower() for name, _ in self._access.headers}
        usual = [header for header in headers if header[0].lower() not in own]
        self._headers = [*usual, *self._access.headers]
        self._limits = limits
        self._extensions = {
            "timeout": {
                "connect": limits.connect_s,
                "read": limits.read_s,
                "write": limits.read_s,
            }
        }
        self._max_idle = max_idle
        self._idle: OrderedDict[str, list[_Line]] = OrderedDict()
        self._idle_count = 0
        self._tls: ssl.SSLContext | None = None

    @asynccontextmanager
    async def exchange(self, url: str) -> AsyncIterator[Answer]:
        """Send a GET for a canonical URL and give its answer for as long as the block lasts.

        Raises:
            ExchangeError: Whatever goes wrong on the way, also while the body is read.
        """
        request = self._request(url)
        key = url[: url.index("/", 8)]
        try:
            line, response = await self._send(key, request)
            headers = _by_name(response.headers)
            answer = Answer(response.status, headers, response, line.dialer, lines=response.headers)
            line.dialer.allow(FRAMING_BYTES)
            try:
                if answer.status == _PROXY_AUTH:  # no word of the host's about the page
                    raise ConnectError(Reason.CONNECT, "the proxy answers 407: sign in there")
                yield answer
            finally:
                with suppress(Exception):  # of a connection that is of no more use
                    await response.aclose()
                await self._give_back(key, line, answer)
        except _ERRORS as error:
            raise self._explain(error) from error

    def _request(self, url: str) -> httpcore.Request:
        scheme, _, _, target = url.split("/", 3)
        host = host_key(url)
        name = host_name(host)
        port = int(host[len(name) + 1 :]) if name != host else None
        headers = [(b"Host", host.encode()), *self._headers, *self._access.headers_for(url)]
        path = f"/{target}"
        proxy = self._proxy(url) if scheme == "http:" else None
        if proxy is not None and proxy.scheme == "http":
            path = f"http://{host}{path}"  # RFC 9112 §3.2.2: the absolute form
            if proxy.authorization:
                headers.append((b"Proxy-Authorization", proxy.authorization))
        return httpcore.Request(
            b"GET",
            httpcore.URL(
                scheme=scheme[:-1].encode(),
                host=name.strip("[]").encode(),
                port=port,
                target=path.encode(),
            ),
            headers=headers,
            extensions=self._extensions,
        )

    async def _send(self, key: str, request: httpcore.Request) -> tuple[_Line, httpcore.Response]:
        while (kept := self._take(key)) is not None:
            try:
                if not kept.connection.has_expired():
                    kept.dialer.allow(HEAD_BYTES)
                    return kept, await _head(kept, request)
            except _GIVEN_UP:
                pass  # by the server; a GET may be sent again
            await kept.close()
        dialer = self._dialer(key)
        connection = httpcore.AsyncHTTPConnection(
            request.url.origin,
            ssl_context=self._tls_context() if key.startswith("https") else None,
            keepalive_expiry=KEEP_ALIVE_S,
            http2=True,
            network_backend=dialer,
        )
        fresh = _Line(connection, dialer)
        return fresh, await _head(fresh, request)

    def _dialer(self, key: str) -> Dialer:
        proxy = self._proxy(f"{key}/")
        if proxy is None:
            return Dialer(self._resolver, self._throttle)
        return ProxyDialer(self._resolver, self._throttle, proxy, key.startswith("https"))

    def _proxy(self, url: str) -> Proxy | None:
        """Return the proxy of a URL; a host whose address the user named is asked directly."""
        proxy = self._proxies.for_url(url)
        return None if proxy is None or self._resolver.is_mapped(url) else proxy

    def _tls_context(self) -> ssl.SSLContext:
        if (
            self._tls is None
        ):  # reading the certificates takes a while, and not every crawl needs it
            self._tls = httpx.create_ssl_context()
        return self._tls

    def _take(self, key: str) -> _Line | None:
        kept = self._idle.get(key)
        if not kept:
            return None
        self._idle_count -= 1
        line = kept.pop()
        if not kept:
            del self._idle[key]
        return line

    async def _give_back(self, key: str, line: _Line, answer: Answer) -> None:
        if not (answer.complete and answer.is_framed_once and line.reusable):
            await line.close()
            return
        self._idle.setdefault(key, []).append(line)
        self._idle.move_to_end(key)
        self._idle_count += 1
        if self._idle_count > self._max_idle:
            stalest = self._take(next(iter(self._idle)))
            if stalest is not None:
                await stalest.close()

    async def aclose(self) -> None:
        """Close the idle connections."""
        while self._idle:
            line = self._take(next(iter(self._idle)))
            if line is not None:
                await line.close()

    def _explain(self, error: Exception) -> ExchangeError:
        detail = str(error) or type(error).__name__
        match error:
            case ConnectError():
                return ExchangeError(error.reason, detail, sent=False)
            case httpcore.ConnectTimeout():
                detail = f"no connection within {self._limits.connect_s:g} s"
                return ExchangeError(Reason.TIMEOUT, detail, sent=False)
            case httpcore.TimeoutException():
                detail = f"nothing arrived for {self._limits.read_s:g} s"
                return ExchangeError(Reason.TIMEOUT, detail)
            case _:
                event = _ended_by(error)
                broke = event or isinstance(error, httpcore.NetworkError)
                is_read = broke or detail.startswith(_CUT_OFF)
                return ExchangeError(Reason.READ if is_read else Reason.PROTOCOL, event or detail)


async def _head(line: _Line, request: httpcore.Request) -> httpcore.Response:
    """Send a request and wait for the head of its answer; what fails is closed for good."""
    try:
        with _faults_named():
            return await line.connection.handle_async_request(request)
    except BaseException:  # httpcore leaves HTTP/2 connections open then
        await line.close()
        raise


@contextmanager
def _faults_named() -> Iterator[None]:
    """Make one error of all that h11, h2 and hpack raise about what a server sent.

    Some of it slips through httpcore: a status that is no number, frames that may not come now.
    """
    try:
        yield
    except _ERRORS:
        raise
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"
        raise httpcore.RemoteProtocolError(detail) from error


def _ended_by(error: Exception) -> str:
    """Say how a server broke off over HTTP/2, "" where it did not."""
    event = error.args[0] if error.args else None
    code = getattr(event, "error_code", None)
    match type(event).__name__:
        case "StreamReset":
            return f"the server reset the stream ({getattr(code, 'name', code)})"
        case "ConnectionTerminated":
            return f"the server gave up the connection ({getattr(code, 'name', code)})"
    return ""
