"""Carries requests to servers and answers back, over connections that are kept.

httpcore, the engine of httpx, speaks HTTP/1.1 and HTTP/2. Its connections are used directly: its
pool looks at every connection for every request, which costs several times the request itself.
"""

import asyncio
import ssl
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import httpcore
import httpx

from graphcrawl.fetch.access import Access
from graphcrawl.fetch.addresses import AddressError, Resolver
from graphcrawl.fetch.proxy import Proxies, Proxy, ProxyError, http_tunnel, socks_tunnel
from graphcrawl.fetch.throttle import Throttle
from graphcrawl.models import Reason
from graphcrawl.urls import host_key, host_name

KEEP_ALIVE_S = 15.0
_BUFFER_BYTES = 256 * 1024  # a server that sends faster than we read has to wait
_DRAIN_BYTES = 64 * 1024  # reading the rest of a short answer is cheaper than a new connection
_DRAIN_S = 1.0
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


class _ConnectError(httpcore.ConnectError):
    """A connection that could not be made, with the reason."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


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
    complete: bool = False  # the body was read to its end

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, transfer encoding undone."""
        async with aclosing(self._response.aiter_stream()) as stream:  # type: ignore[type-var]
            async for chunk in stream:
                yield chunk
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

    def text(self, name: bytes) -> str:
        """Return a header as text, "" where there is none; not everybody sends ASCII."""
        value = self.headers.get(name, b"").strip()
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.decode("latin-1")


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
        self._dialer = _Dialer(resolver, throttle)
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
        self._idle: OrderedDict[str, list[httpcore.AsyncHTTPConnection]] = OrderedDict()
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
            connection, response = await self._send(key, request)
            answer = Answer(
                response.status,
                {name.lower(): value for name, value in reversed(response.headers)},
                response,
            )
            try:
                yield answer
            finally:
                await response.aclose()
                await self._give_back(key, connection, answer.complete)
        except _ERRORS as error:
            raise self._explain(error) from error

    def _request(self, url: str) -> httpcore.Request:
        scheme, _, _, target = url.split("/", 3)
        host = host_key(url)
        name = host_name(host)
        port = int(host[len(name) + 1 :]) if name != host else None
        proxy = self._proxy(url)
        headers = [(b"Host", host.encode()), *self._headers, *self._access.headers_for(url)]
        path = b"/" + target.encode()
        if proxy is not None and proxy.scheme == "http" and scheme == "http:":
            path = f"http://{host}".encode() + path  # RFC 9112 §3.2.2: the absolute form
            if proxy.authorization:
                headers.append((b"Proxy-Authorization", proxy.authorization))
        return httpcore.Request(
            b"GET",
            httpcore.URL(
                scheme=scheme[:-1].encode(),
                host=name.strip("[]").encode(),
                port=port,
                target=path,
            ),
            headers=headers,
            extensions=self._extensions,
        )

    async def _send(
        self, key: str, request: httpcore.Request
    ) -> tuple[httpcore.AsyncHTTPConnection, httpcore.Response]:
        while (kept := self._take(key)) is not None:
            try:
                if not kept.has_expired():
                    return kept, await kept.handle_async_request(request)
            except _GIVEN_UP:
                pass  # by the server; a GET may be sent again
            await kept.aclose()
        proxy = self._proxy(f"{key}/")
        dialer = (
            self._dialer
            if proxy is None
            else _ProxyDialer(self._resolver, self._throttle, proxy, key.startswith("https"))
        )
        fresh = httpcore.AsyncHTTPConnection(
            request.url.origin,
            ssl_context=self._tls_context() if key.startswith("https") else None,
            keepalive_expiry=KEEP_ALIVE_S,
            http2=True,
            network_backend=dialer,
        )
        return fresh, await fresh.handle_async_request(request)

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

    def _take(self, key: str) -> httpcore.AsyncHTTPConnection | None:
        kept = self._idle.get(key)
        if not kept:
            return None
        self._idle_count -= 1
        connection = kept.pop()
        if not kept:
            del self._idle[key]
        return connection

    async def _give_back(
        self, key: str, connection: httpcore.AsyncHTTPConnection, complete: bool
    ) -> None:
        if not complete or not connection.is_idle():
            await connection.aclose()
            return
        self._idle.setdefault(key, []).append(connection)
        self._idle.move_to_end(key)
        self._idle_count += 1
        if self._idle_count > self._max_idle:
            stalest = self._take(next(iter(self._idle)))
            if stalest is not None:
                await stalest.aclose()

    async def aclose(self) -> None:
        """Close the idle connections."""
        while self._idle:
            connection = self._take(next(iter(self._idle)))
            if connection is not None:
                await connection.aclose()

    def _explain(self, error: Exception) -> ExchangeError:
        detail = str(error) or type(error).__name__
        match error:
            case _ConnectError():
                return ExchangeError(error.reason, detail, sent=False)
            case httpcore.ConnectTimeout():
                detail = f"no connection within {self._limits.connect_s:g} s"
                return ExchangeError(Reason.TIMEOUT, detail, sent=False)
            case httpcore.TimeoutException():
                detail = f"nothing arrived for {self._limits.read_s:g} s"
                return ExchangeError(Reason.TIMEOUT, detail)
            case httpcore.NetworkError():
                return ExchangeError(Reason.READ, detail)
            case _ if detail.startswith(_CUT_OFF):
                return ExchangeError(Reason.READ, detail)
            case _:
                return ExchangeError(Reason.PROTOCOL, detail)


class _Dialer(httpcore.AsyncNetworkBackend):
    """Opens connections to addresses that the resolver lets pass."""

    def __init__(self, resolver: Resolver, throttle: Throttle | None = None) -> None:
        self._resolver = resolver
        self._throttle = throttle

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses, port = await self._resolver.addresses(host, port)
                return await _connect_to_one_of(addresses, port, timeout, self._throttle)
        except AddressError as error:
            raise _ConnectError(error.reason, error.detail) from error
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error
        except OSError as error:
            detail = f"{host}:{port}: {error.strerror or error}"
            raise _ConnectError(Reason.CONNECT, detail) from error


class _ProxyDialer(_Dialer):
    """Opens connections through a proxy, which may well be a private one."""

    def __init__(
        self, resolver: Resolver, throttle: Throttle | None, proxy: Proxy, encrypted: bool
    ) -> None:
        super().__init__(resolver, throttle)
        self._proxy, self._encrypted = proxy, encrypted

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        proxy = self._proxy
        stream: _Stream | None = None
        try:
            async with asyncio.timeout(timeout):
                if proxy.scheme == "socks5":
                    (host, *_), port = await self._resolver.addresses(host, port)
                else:
                    self._resolver.refuse_private(host)
                to = [proxy.host]
                stream = await _connect_to_one_of(to, proxy.port, timeout, self._throttle)
                if proxy.scheme != "http":
                    await socks_tunnel(stream, proxy, host, port)
                elif self._encrypted:
                    await http_tunnel(stream, proxy, host, port)
                return stream
        except BaseException as error:
            if stream is not None:
                await stream.aclose()
            if isinstance(error, AddressError):
                raise _ConnectError(error.reason, error.detail) from error
            if isinstance(error, TimeoutError):
                raise httpcore.ConnectTimeout from error
            if isinstance(error, ProxyError):
                raise _ConnectError(Reason.CONNECT, str(error)) from error
            if isinstance(error, OSError | httpcore.NetworkError):
                detail = f"the proxy {proxy}: {getattr(error, 'strerror', None) or error}"
                raise _ConnectError(Reason.CONNECT, detail) from error
            raise


async def _connect_to_one_of(
    addresses: list[str], port: int, limit_s: float | None, throttle: Throttle | None
) -> "_Stream":
    """Try the addresses in turn, none of them for longer than its share of the time."""
    share_s = None if limit_s is None else limit_s / len(addresses)
    made = partial(_Stream, throttle)
    loop = asyncio.get_running_loop()
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            async with asyncio.timeout(share_s):
                return (await loop.create_connection(made, address, port))[1]
    return (await loop.create_connection(made, last, port))[1]


class _Stream(asyncio.Protocol, httpcore.AsyncNetworkStream):
    """A connection as httpcore wants to read and write it."""

    def __init__(self, throttle: Throttle | None = None) -> None:
        self._throttle = throttle
        self._transport: asyncio.Transport
        self._received = bytearray()
        self._ended = False
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) > _BUFFER_BYTES:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._error = exc
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # what httpcore calls

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        if not self._received and not self._ended:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(timeout):
                    await self._waiter
            except TimeoutError as error:
                raise httpcore.ReadTimeout from error
        if not self._received and self._error is not None:
            raise httpcore.ReadError(str(self._error)) from self._error
        data = bytes(self._received[:max_bytes])
        del self._received[:max_bytes]
        if not self._ended and len(self._received) <= _BUFFER_BYTES:
            self._transport.resume_reading()
        if self._throttle is not None:
            await self._throttle.received(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if self._ended or self._transport.is_closing():
            raise httpcore.WriteError("the server closed the connection")
        self._transport.write(buffer)  # requests are short: no need to wait until it is out

    async def aclose(self) -> None:
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                transport = await loop.start_tls(
                    self._transport, self, ssl_context, server_hostname=server_hostname
                )
        except BaseException as error:
            self._transport.abort()
            if isinstance(error, TimeoutError):
                raise httpcore.ConnectTimeout from error
            if isinstance(error, OSError):  # ssl.SSLError is one too
                raise _ConnectError(Reason.TLS, error.strerror or str(error)) from error
            raise
        self._transport = cast(asyncio.Transport, transport)
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # of an idle connection: it ended, or something is wrong
            return self._ended or bool(self._received)
        return self._transport.get_extra_info(info)
