"""The bytes of one connection: opened to a checked address, counted while they are read.

What a server sends beside its bodies is limited, however it is sent: heads without end, floods of
interim answers, chunk extensions, trailers, frames of HTTP/2 that carry nothing.
"""

import asyncio
import select
import ssl
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any, cast

import httpcore

from graphcrawl.fetch.addresses import AddressError, Resolver
from graphcrawl.fetch.throttle import Throttle
from graphcrawl.models import Reason

HEAD_BYTES = 192 * 1024  # until a head is whole; h11 takes 100 KiB, and one read 64
FRAMING_BYTES = 128 * 1024  # beside a body: so much, and as much again as the body itself
_BUFFER_BYTES = 256 * 1024  # a server that sends faster than we read has to wait


class ConnectError(httpcore.ConnectError):
    """A connection that could not be made, with the reason."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Dialer(httpcore.AsyncNetworkBackend):
    """Opens one connection, to an address that the resolver lets pass, and keeps hold of it."""

    def __init__(self, resolver: Resolver, throttle: Throttle | None = None) -> None:
        self._resolver = resolver
        self._throttle = throttle
        self._stream: _Stream | None = None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host name; httpcore calls it."""
        try:
            async with asyncio.timeout(timeout):
                addresses, port = await self._resolver.addresses(host, port)
                return await self._connect(addresses, port, timeout)
        except AddressError as error:
            raise ConnectError(error.reason, error.detail) from error
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error
        except OSError as error:
            detail = f"{host}:{port}: {error.strerror or error}"
            raise ConnectError(Reason.CONNECT, detail) from error

    async def _connect(self, addresses: list[str], port: int, limit_s: float | None) -> "_Stream":
        """Try the addresses in turn, none of them for longer than its share of the time."""
        share_s = None if limit_s is None else limit_s / len(addresses)
        loop, made = asyncio.get_running_loop(), partial(_Stream, self._throttle)
        *others, last = addresses
        for address in others:
            with suppress(OSError):
                async with asyncio.timeout(share_s):
                    self._stream = (await loop.create_connection(made, address, port))[1]
                    return self._stream
        self._stream = (await loop.create_connection(made, last, port))[1]
        return self._stream

    def allow(self, size_bytes: int) -> None:
        """Say how many bytes may be read from now on."""
        if self._stream is not None:
            self._stream.budget_bytes = size_bytes

    def allow_more(self, size_bytes: int) -> None:
        """Let so many more bytes be read."""
        if self._stream is not None:
            self._stream.budget_bytes += size_bytes

    def abort(self) -> None:
        """Close the connection at once, whatever state those who speak over it are in."""
        if self._stream is not None:
            self._stream.abort()


class _Stream(asyncio.Protocol, httpcore.AsyncNetworkStream):
    """A connection as httpcore wants to read and write it.

    Attributes:
        budget_bytes: How many bytes may still be read before it is too much.
    """

    def __init__(self, throttle: Throttle | None = None) -> None:
        self._throttle = throttle
        self.budget_bytes = HEAD_BYTES
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
        if len(self._received) > max_bytes:  # a server that sends faster than we read
            await asyncio.sleep(0)  # gives the others a turn, and a time limit the chance to end it
        data = bytes(self._received[:max_bytes])
        del self._received[:max_bytes]
        self.budget_bytes -= len(data)
        if self.budget_bytes < 0:
            raise httpcore.RemoteProtocolError("too many bytes that are no content")
        if not self._ended and len(self._received) <= _BUFFER_BYTES:
            self._transport.resume_reading()
        if self._throttle is not None:
            await self._throttle.received(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        # A server may have said all and closed: what it sent is read all the same, and the end
        # shows then. Requests are short: no need to wait until they are out.
        if not (self._ended or self._transport.is_closing()):
            self._transport.write(buffer)

    async def aclose(self) -> None:
        self.abort()

    def abort(self) -> None:
        """Close without a farewell; it may be closed already."""
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
                raise ConnectError(Reason.TLS, error.strerror or str(error)) from error
            raise
        self._transport = cast(asyncio.Transport, transport)
        return self

    def _has_news(self) -> bool:
        """Ask the system, since the event loop may not have had its turn since they came."""
        number: int = self._transport.get_extra_info("socket").fileno()
        if number < 0 or not hasattr(select, "poll"):  # Windows has none
            return number < 0
        poll = select.poll()
        poll.register(number, select.POLLIN)
        return bool(poll.poll(0))

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # of an idle connection: it ended, or something is wrong
            return self._ended or bool(self._received) or self._has_news()
        return self._transport.get_extra_info(info)
