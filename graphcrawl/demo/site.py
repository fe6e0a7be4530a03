"""Serves a generated web over real HTTP: all of its hosts, told apart by the Host header."""

import asyncio
import socket
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

from graphcrawl.demo.model import Resource
from graphcrawl.demo.web import Web

LATENCY_S = 0.03  # as near servers have; a web without it is crawled faster than reward can flow
_MAX_HEAD_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One request that the server has answered or is about to."""

    at_s: float  # by the monotonic clock
    host: str  # without the port
    path: str  # with the query
    agent: str


def listen(port: int = 0) -> socket.socket:
    """Open a socket on loopback; port 0 takes a free one.

    The port stands in the URLs of the web, so it has to be known before `generate`.
    """
    return socket.create_server(("127.0.0.1", port), backlog=512)


class DemoSite:
    """An HTTP/1.1 server for one web, open as long as the context is.

    Args:
        web: What to serve.
        listener: A socket of `listen`, bound to the web's port; closed at the end.
    """

    def __init__(self, web: Web, listener: socket.socket) -> None:
        if listener.getsockname()[1] != web.port:
            raise ValueError("the web was generated for another port")
        self.web = web
        self.requests: list[Request] = []
        self._listener = listener
        self._open: set[asyncio.StreamWriter] = set()

    @property
    def resolve(self) -> str:
        """The value for `--resolve` that leads a crawl here."""
        return f"*:{self.web.port}:127.0.0.1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._serve, sock=self._listener, limit=_MAX_HEAD_BYTES
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        self._open.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, path, host, agent, keep = _parse(head)
                self.requests.append(Request(time.monotonic(), host, path, agent))
                resource = self.web.answer(host, path)
                await asyncio.sleep(LATENCY_S + resource.delay_s)
                writer.write(_response(resource, keep, with_body=method != "HEAD"))
                await writer.drain()
                if not keep:
                    break
        except (
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
            ConnectionError,
            ValueError,
        ):
            pass  # the other side hung up, or does not speak HTTP
        finally:
            self._open.discard(writer)
            writer.close()


def _parse(head: str) -> tuple[str, str, str, str, bool]:
    """Return method, path, host without port, user agent, and whether to keep the connection."""
    first, *lines = head.split("\r\n")
    method, path, version = first.split(" ")
    fields = {
        name.strip().lower(): value.strip()
        for name, mark, value in (line.partition(":") for line in lines)
        if mark
    }
    host = fields.get("host", "").rpartition(":")[0] or fields.get("host", "")
    keep = version == "HTTP/1.1" and fields.get("connection", "").lower() != "close"
    return method, path, host.lower(), fields.get("user-agent", ""), keep


def _response(resource: Resource, keep: bool, *, with_body: bool) -> bytes:
    lines = [
        f"HTTP/1.1 {resource.status} {HTTPStatus(resource.status).phrase}",
        f"Content-Type: {resource.content_type}",
        f"Content-Length: {len(resource.body)}",
        f"Connection: {'keep-alive' if keep else 'close'}",
    ]
    if resource.location:
        lines.append(f"Location: {resource.location}")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    return head + (resource.body if with_body else b"")
