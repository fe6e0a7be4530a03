"""Proxies: which one a URL goes through, and how to get through it. HTTP and SOCKS5."""

import asyncio
import base64
import ipaddress
import struct
import urllib.request
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote, urlsplit

from graphcrawl.errors import UsageError
from graphcrawl.urls import host_key, host_name

_PORTS = {"http": 8080, "socks5": 1080, "socks5h": 1080}
_MAX_HEAD_BYTES = 16 * 1024
_SOCKS_FAULTS = {
    1: "a general fault",
    2: "not allowed by its rules",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "time to live expired",
    7: "command not known",
    8: "kind of address not known",
}


class ProxyError(Exception):
    """A proxy does not let us through; the text is one line for people, without its password.

    Attributes:
        own: Whether the proxy itself is the trouble, and not the host that it was to connect to.
    """

    def __init__(self, text: str, *, own: bool = True) -> None:
        super().__init__(text)
        self.own = own


class Stream(Protocol):
    """What a handshake needs of a connection."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """Read at most so many bytes; none at the end."""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Write all of it."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """One proxy."""

    scheme: str  # http, socks5 (names are looked up here) or socks5h (the proxy looks them up)
    host: str
    port: int
    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Show it without its password."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def authorization(self) -> bytes | None:
        """The value of Proxy-Authorization. Source: RFC 7617."""
        if not self.username:
            return None
        return b"Basic " + base64.b64encode(f"{self.username}:{self.password}".encode())


def parse_proxy(text: str) -> Proxy:
    """Read `http://[USER:PASSWORD@]HOST:PORT`, or the same with socks5 or socks5h.

    Raises:
        UsageError: It is something else.
    """
    hint = "Write it as http://HOST:PORT, socks5://HOST:PORT or socks5h://HOST:PORT"
    word = text.strip()
    try:
        parts = urlsplit(word if "://" in word else f"http://{word}")
        port = parts.port
    except ValueError as error:
        raise UsageError("The proxy is not an address.", hint) from error
    if parts.scheme not in _PORTS:
        raise UsageError(f"There is no proxy of the kind {parts.scheme!r} here.", hint)
    if not parts.hostname or parts.path.strip("/") or parts.query or port == 0:
        raise UsageError("The proxy is not an address.", hint)
    user, secret = unquote(parts.username or ""), unquote(parts.password or "")
    if len(user.encode()) > 255 or len(secret.encode()) > 255:
        raise UsageError("The proxy is not an address.", hint)
    return Proxy(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], user, secret)


@dataclass(frozen=True, slots=True)
class Proxies:
    """Which proxy a URL goes through."""

    all: Proxy | None = None  # for everything
    by_scheme: tuple[tuple[str, Proxy], ...] = ()  # of the environment: not for this machine

    @classmethod
    def choose(cls, setting: str | None) -> "Proxies":
        """Return the proxy of the settings, else those of the environment.

        The environment is read as other programs read it: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and
        NO_PROXY, in small letters too.

        Args:
            setting: An address, or `none` for no proxy whatever the environment says.

        Raises:
            UsageError: One of them is no address of a proxy.
        """
        if setting is not None:
            return cls() if setting.strip().lower() == "none" else cls(parse_proxy(setting))
        found = urllib.request.getproxies_environment()
        found = {name: found.get(name) or found.get("all", "") for name in ("http", "https")}
        return cls(None, tuple((name, parse_proxy(text)) for name, text in found.items() if text))

    def for_url(self, url: str) -> Proxy | None:
        """Return the proxy to use; None: go directly."""
        if self.all is not None or not self.by_scheme:
            return self.all
        host = host_key(url)
        name = host_name(host).strip("[]")
        if _is_here(name) or urllib.request.proxy_bypass_environment(host):  # type: ignore[attr-defined]
            return None
        return dict(self.by_scheme).get(url.partition(":")[0])


def _is_here(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


async def http_tunnel(stream: Stream, proxy: Proxy, host: str, port: int) -> None:
    """Have an HTTP proxy connect us to a host. Source: RFC 9110 §9.3.6.

    Raises:
        ProxyError: It does not.
    """
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {target} HTTP/1.1".encode(), f"Host: {target}".encode()]
    if proxy.authorization:
        lines.append(b"Proxy-Authorization: " + proxy.authorization)
    await stream.write(b"\r\n".join(lines) + b"\r\n\r\n")
    head = b""
    while not head.endswith(b"\r\n\r\n"):  # byte by byte: what follows is the host's
        head += await _exactly(stream, 1, proxy)
        if len(head) > _MAX_HEAD_BYTES:
            raise ProxyError(f"the proxy {proxy} does not answer as one")
    words = head.split(b"\r\n", 1)[0].split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise ProxyError(f"the proxy {proxy} does not answer as one")
    if (status := int(words[1])) == 407:
        raise ProxyError(f"the proxy {proxy} refuses its user or password")
    if not 200 <= status < 300:
        raise ProxyError(f"the proxy {proxy} answers {status} to CONNECT {target}", own=False)


async def socks_tunnel(stream: Stream, proxy: Proxy, host: str, port: int) -> None:
    """Have a SOCKS5 proxy connect us to a host, by its address or its name.

    Source: RFC 1928; RFC 1929 for user and password.

    Raises:
        ProxyError: It does not.
    """
    methods = b"\x00\x02" if proxy.username else b"\x00"
    await stream.write(bytes([5, len(methods)]) + methods)
    version, method = await _exactly(stream, 2, proxy)
    if version != 5 or method not in methods:
        wants = "wants a user and a password" if method in (2, 255) else "does not speak SOCKS5"
        raise ProxyError(f"the proxy {proxy} {wants}")
    if method == 2:
        user, password = proxy.username.encode(), proxy.password.encode()
        await stream.write(bytes([1, len(user)]) + user + bytes([len(password)]) + password)
        if (await _exactly(stream, 2, proxy))[1] != 0:
            raise ProxyError(f"the proxy {proxy} refuses its user or password")
    await stream.write(b"\x05\x01\x00" + _socks_address(host) + struct.pack("!H", port))
    version, fault, _, kind = await _exactly(stream, 4, proxy)
    if version != 5 or fault:
        why = _SOCKS_FAULTS.get(fault, f"fault {fault}")
        text = f"the proxy {proxy} cannot connect to {host}:{port}: {why}"
        raise ProxyError(text, own=False)
    sizes = {1: 4, 4: 16}
    size = sizes[kind] if kind in sizes else (await _exactly(stream, 1, proxy))[0]
    await _exactly(stream, size + 2, proxy)


def _socks_address(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        return bytes([3, len(name)]) + name
    return bytes([1 if address.version == 4 else 4]) + address.packed


async def _exactly(stream: Stream, size: int, proxy: Proxy) -> bytes:
    data = b""
    while len(data) < size:
        if not (more := await stream.read(size - len(data))):
            raise ProxyError(f"the proxy {proxy} ended the connection")
        data += more
        await asyncio.sleep(0)
    return data
