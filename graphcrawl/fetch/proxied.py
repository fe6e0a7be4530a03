"""Connections that go through a proxy."""

import asyncio
import os
from collections.abc import Iterable
from typing import Any

import httpcore

from graphcrawl.fetch.addresses import AddressError, Resolver
from graphcrawl.fetch.proxy import Proxy, ProxyError, http_tunnel, socks_tunnel
from graphcrawl.fetch.streams import ConnectError, Dialer
from graphcrawl.fetch.throttle import Throttle
from graphcrawl.models import Reason


class ProxyDialer(Dialer):
    """Opens one connection to a host by way of a proxy, which may well have a private address.

    Only `socks5` looks names up here, and pins what passed. The others look them up themselves:
    what is a private address as it is written is refused, and their own rules have to do the rest.
    """

    def __init__(
        self, resolver: Resolver, throttle: Throttle | None, proxy: Proxy, encrypted: bool
    ) -> None:
        """Connect to nothing yet.

        Args:
            resolver: Knows the addresses that may be connected to.
            throttle: Slows down reading.
            proxy: Which one.
            encrypted: TLS will be spoken to the host.
        """
        super().__init__(resolver, throttle)
        self._proxy, self._encrypted, self._dials = proxy, encrypted, False

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
                return await self._through(host, port, timeout)
        except BaseException as error:
            self.abort()
            match error:
                case AddressError():
                    raise ConnectError(error.reason, error.detail) from error
                case ProxyError():
                    reason = Reason.PROXY if error.own else Reason.CONNECT
                    raise ConnectError(reason, str(error)) from error
                case TimeoutError() if self._stream or not self._dials:  # the host or its name
                    raise httpcore.ConnectTimeout from error
                case TimeoutError():
                    detail = f"the proxy {self._proxy} does not answer"
                    raise ConnectError(Reason.PROXY, detail) from error
                case OSError() | httpcore.NetworkError() | httpcore.ProtocolError():
                    number = getattr(error, "errno", None) or 0
                    why = getattr(error, "strerror", None) or str(error) or "it broke off"
                    why = os.strerror(number) if number > 0 else why  # asyncio's repeats all
                    raise ConnectError(Reason.PROXY, f"the proxy {self._proxy}: {why}") from error
            raise

    async def _through(
        self, host: str, port: int, limit_s: float | None
    ) -> httpcore.AsyncNetworkStream:
        proxy = self._proxy
        if proxy.scheme == "socks5":
            (host, *_), port = await self._resolver.addresses(host, port)
        else:
            self._resolver.refuse_private(host)
        self._dials = True
        stream = await self._connect([proxy.host], proxy.port, limit_s)
        if proxy.scheme != "http":
            await socks_tunnel(stream, proxy, host, port)
        elif self._encrypted:
            await http_tunnel(stream, proxy, host, port)
        return stream
