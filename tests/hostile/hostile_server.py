"""A web of hostile hosts on loopback: one host a behaviour, each with its own port where need be.

Behaviours are functions of a `Talk`; what should come of each stands beside it, in the words of
`outcome_word`. The tables are in `hostile_http` and `hostile_tls`.
"""

import asyncio
import ssl
import struct
import warnings
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import trustme
from h2.exceptions import H2Error

from graphcrawl.fetch import Resolve
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Redirected

DOMAIN = "hostile.example"
ESCAPE = "\x1b[2J\x1b]0;owned\x07"  # clears a terminal and names its window
SECRET = "hunter2-secret"


@dataclass
class Talk:
    """One request, and the way to answer it."""

    host: str
    target: str
    head: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def page(self, *more: str, title: str = "", body: bytes = b"") -> None:
        """Send an honest page whose title names host and target."""
        name = self.host.removesuffix("." + DOMAIN)
        body = body or page(title or f"{name} {self.target}")
        self.write(answer(body, *more))

    async def forever(self, piece: bytes, every_s: float = 0.0) -> None:
        """Send a piece again and again until the other side has had enough."""
        while not self.writer.is_closing():
            self.write(piece)
            await self.writer.drain()
            await asyncio.sleep(every_s)

    async def until_gone(self) -> None:
        await self.reader.read()

    def reset(self) -> None:
        """End the connection in disorder."""
        linger = struct.pack("ii", 1, 0)
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(1, 13, linger)  # SOL_SOCKET, SO_LINGER
        self.writer.transport.abort()


Send = Callable[[Talk], Awaitable[None]]


@dataclass(frozen=True)
class Behaviour:
    """What a host does, and what must come of it."""

    name: str
    send: Send
    outcome: str  # of the last target, see `outcome_word`
    targets: tuple[str, ...] = ("/",)
    port: str = "http"  # which of the servers it sits on
    detail: str = ""  # in what people are told
    leads_to: str = ""  # where it redirects
    end: str = ""  # reason of the page in a crawl, where the outcome does not say it
    flood: bool = False  # costs computing time until it is stopped

    @property
    def host(self) -> str:
        return f"{self.name}.{DOMAIN}"

    @property
    def urls(self) -> list[str]:
        scheme = "http" if self.port == "http" else "https"
        return [f"{scheme}://{self.host}{target}" for target in self.targets]


def page(title: str, text: str = "text") -> bytes:
    return f"<!doctype html><title>{title}</title><p>{text}</p>".encode()


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Write a whole answer; a header of the caller's own takes the place of ours."""
    lines = {"content-type": "Content-Type: text/html", "content-length": ""}
    lines["content-length"] = f"Content-Length: {len(body)}"
    for header in headers:
        lines[header.partition(":")[0].lower()] = header
    return "\r\n".join([f"HTTP/1.1 {status}", *lines.values(), "", ""]).encode() + body


def outcome_word(outcome: FetchOutcome) -> str:
    """Say what came of a fetch in a word or two."""
    match outcome:
        case Fetched():
            return "fetched truncated" if outcome.truncated else "fetched"
        case Redirected():
            return "redirected" if outcome.target else "redirected nowhere"
        case NotFetched():
            return f"{outcome.reason} retry" if outcome.retry else str(outcome.reason)


@dataclass
class HostileWeb:
    """What is served, where, and what was asked for."""

    behaviours: dict[str, Behaviour]
    extra: dict[str, Send] = field(default_factory=dict)  # other hosts, by name
    plays_robots: bool = False  # hosts do it to their robots.txt too
    ports: dict[str, int] = field(default_factory=dict)
    heads: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    connections: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def resolve(self) -> tuple[Resolve, ...]:
        """Say where the hosts are, each by its name: no other address leads here."""
        found = [(b.host, b.port) for b in self.behaviours.values()]
        found += [(host, "http") for host in self.extra]
        return tuple(
            Resolve(host, 80 if port == "http" else 443, "127.0.0.1", self.ports[port])
            for host, port in found
        )

    async def serve(
        self, port: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer requests of HTTP/1.1 until the connection ends."""
        first = True
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.decode("latin-1").split("\r\n")
            host = next((x[6:] for x in lines if x.lower().startswith("host: ")), "")
            talk = Talk(host, lines[0].split()[1], head, reader, writer)
            self.heads[host].append(head)
            self.connections[host] += first
            first = False
            behaviour = self.behaviours.get(host)
            if talk.target == "/robots.txt" and not (behaviour and self.plays_robots):
                talk.write(answer(b"", status="404 Not Found"))
            elif behaviour is not None:
                await behaviour.send(talk)
            else:
                await self.extra[host](talk)
            if writer.is_closing():
                return


@asynccontextmanager
async def hostile_web(
    behaviours: Iterable[Behaviour], extra: dict[str, Send], authority: "Authority"
) -> AsyncIterator[HostileWeb]:
    """Play all behaviours for as long as the block lasts."""
    from hostile_tls import speak_http_2

    web = HostileWeb({b.host: b for b in behaviours}, extra)
    talks: set[asyncio.Task[None]] = set()

    def handler(
        port: str,
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talks.add(cast("asyncio.Task[None]", asyncio.current_task()))
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError, H2Error):
                if port == "h2":
                    await speak_http_2(web, reader, writer)
                elif port == "silent":
                    await reader.read()
                elif port == "plain":
                    await reader.read(1)
                    writer.write(answer(b"no TLS here", status="400 Bad Request"))
                else:
                    await web.serve(port, reader, writer)
            writer.close()

        return talk

    servers = []
    for port, context in authority.contexts().items():
        server = await asyncio.start_server(handler(port), "127.0.0.1", 0, ssl=context, limit=2**20)
        web.ports[port] = server.sockets[0].getsockname()[1]
        servers.append(server)
    try:
        yield web
    finally:
        for server in servers:
            server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


class Authority:
    """A certificate authority of the tests' own, and what it signed."""

    def __init__(self, folder: Path) -> None:
        self._authority, self._stranger = trustme.CA(), trustme.CA()
        self.pem = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(self.pem)

    def contexts(self) -> dict[str, ssl.SSLContext | None]:
        """Return the TLS of each port; None: no TLS."""
        names = (f"*.{DOMAIN}",)
        now = datetime.now(UTC)
        good = self._authority.issue_cert(*names)
        expired = self._authority.issue_cert(*names, not_after=now - timedelta(days=1))
        return {
            "http": None,
            "plain": None,
            "silent": None,
            "https": _context(good, "http/1.1"),
            "h2": _context(good, "h2"),
            "expired": _context(expired, "http/1.1"),
            "stranger": _context(self._stranger.issue_cert(*names), "http/1.1"),
            "misnamed": _context(self._authority.issue_cert("other.example"), "http/1.1"),
            "old": _context(good, "http/1.1", newest=ssl.TLSVersion.TLSv1_1),
        }


def _context(
    certificate: trustme.LeafCert, protocol: str, newest: ssl.TLSVersion | None = None
) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    context.set_alpn_protocols([protocol])
    if newest is not None:
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
    return context
