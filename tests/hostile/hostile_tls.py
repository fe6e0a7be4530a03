"""Hostile behaviours over TLS and HTTP/2, each with what must come of it."""

import asyncio
import struct
from collections.abc import Awaitable, Callable

import h2.config
import h2.connection
import h2.errors
import h2.events
from hostile_server import Behaviour, HostileWeb, Talk, page


async def _page(talk: Talk) -> None:
    talk.page()


async def _cut(talk: Talk) -> None:
    """End a page without a length by cutting the connection: TLS says no farewell."""
    talk.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page("tls-cut /"))
    await talk.writer.drain()
    await asyncio.sleep(0.05)
    talk.reset()


async def _cut_short(talk: Talk) -> None:
    talk.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + page("evil"))
    await talk.writer.drain()
    await asyncio.sleep(0.05)
    talk.reset()


BEHAVIOURS = [
    Behaviour("tls-honest", _page, "fetched", port="https"),
    Behaviour("tls-cut-short", _cut_short, "read retry", port="https"),
    Behaviour("tls-expired", _page, "tls", port="expired", detail="expired"),
    Behaviour("tls-stranger", _page, "tls", port="stranger", detail="unable to get local issuer"),
    Behaviour("tls-misnamed", _page, "tls", port="misnamed", detail="not valid for"),
    Behaviour("tls-old", _page, "tls retry", port="old"),
    Behaviour("tls-none", _page, "tls retry", port="plain"),
    Behaviour("tls-silent", _page, "timeout retry", port="silent"),
]


# --- HTTP/2 ---------------------------------------------------------------------------------------


class Framer:
    """An HTTP/2 server's side of one connection, with the means to break the rules."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        config = h2.config.H2Configuration(
            client_side=False,
            header_encoding=None,
            validate_outbound_headers=False,
            normalize_outbound_headers=False,
        )
        self.reader, self.writer = reader, writer
        self.h2 = h2.connection.H2Connection(config)
        self.stream = 0
        self.target = ""
        self.host = ""

    def flush(self) -> None:
        self.writer.write(self.h2.data_to_send())

    def head(self, status: str = "200", *more: tuple[str, str], end: bool = False) -> None:
        headers = [(":status", status), ("content-type", "text/html"), *more]
        self.h2.send_headers(self.stream, headers, end_stream=end)
        self.flush()

    def body(self, data: bytes, *, end: bool = True) -> None:
        self.h2.send_data(self.stream, data, end_stream=end)
        self.flush()

    def frame(self, kind: int, payload: bytes = b"", *, stream: int = 0, flags: int = 0) -> None:
        """Send any frame, allowed or not."""
        self.writer.write(raw_frame(kind, payload, stream, flags))

    async def forever(self, data: bytes) -> None:
        while not self.writer.is_closing():
            self.writer.write(data)
            await self.writer.drain()
            await asyncio.sleep(0)


def raw_frame(kind: int, payload: bytes = b"", stream: int = 0, flags: int = 0) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


ENDS = {"h2-no-status": "type"}  # it has neither content nor a type
SendFrames = Callable[[Framer], Awaitable[None]]
_FRAMES: dict[str, SendFrames] = {}


def _h2(
    name: str, outcome: str, detail: str = "", *targets: str
) -> Callable[[SendFrames], SendFrames]:
    """Add a behaviour over HTTP/2."""

    def add(send: SendFrames) -> SendFrames:
        flood = "flood" in name
        host = Behaviour(
            name,
            _page,
            outcome,
            targets or ("/",),
            "h2",
            detail,
            end=ENDS.get(name, ""),
            flood=flood,
        )
        BEHAVIOURS.append(host)
        _FRAMES[host.host] = send
        return send

    return add


async def speak_http_2(
    web: HostileWeb, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer requests of HTTP/2 until the connection ends."""
    framer = Framer(reader, writer)
    framer.h2.initiate_connection()
    framer.flush()
    first = True
    while data := await reader.read(65536):
        for event in framer.h2.receive_data(data):
            if not isinstance(event, h2.events.RequestReceived):
                continue
            head = {bytes(k): bytes(v) for k, v in event.headers or []}
            framer.stream = event.stream_id or 0
            framer.target, framer.host = head[b":path"].decode(), head[b":authority"].decode()
            web.heads[framer.host].append(repr(head).encode())
            web.connections[framer.host] += first
            first = False
            if framer.target == "/robots.txt":
                framer.head("404", end=True)
            else:
                await _FRAMES[framer.host](framer)
        framer.flush()


@_h2("h2-honest", "fetched", "", "/1", "/2")
async def _honest(f: Framer) -> None:
    f.head()
    f.body(page(f"h2-honest {f.target}"))


@_h2("h2-reset", "read retry", "REFUSED_STREAM")
async def _reset(f: Framer) -> None:
    f.h2.reset_stream(f.stream, h2.errors.ErrorCodes.REFUSED_STREAM)
    f.flush()


@_h2("h2-reset-in-body", "read retry", "INTERNAL_ERROR")
async def _reset_in_body(f: Framer) -> None:
    f.head()
    f.body(page("evil"), end=False)
    f.h2.reset_stream(f.stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
    f.flush()


@_h2("h2-goaway", "read retry", "ENHANCE_YOUR_CALM")
async def _goaway(f: Framer) -> None:
    f.h2.close_connection(h2.errors.ErrorCodes.ENHANCE_YOUR_CALM)
    f.flush()


@_h2("h2-close-in-body", "read retry")
async def _close_in_body(f: Framer) -> None:
    f.head()
    f.body(page("evil"), end=False)
    f.writer.close()


@_h2("h2-silent", "timeout retry")
async def _silent(f: Framer) -> None:
    f.head()


@_h2("h2-endless-page", "too-big")
async def _endless(f: Framer) -> None:
    f.head()
    await f.forever(raw_frame(0, b"<p>x" * 4000, f.stream))


@_h2("h2-interim", "fetched")
async def _interim(f: Framer) -> None:
    for _ in range(3):
        f.h2.send_headers(f.stream, [(":status", "103"), ("link", "</x>")])
    f.head()
    f.body(page("h2-interim /"))


@_h2("h2-status-of-letters", "protocol")
async def _letters(f: Framer) -> None:
    f.head("abc", end=True)


@_h2("h2-no-status", "fetched")
async def _no_status(f: Framer) -> None:
    """httpcore takes it for 200; there is nothing in it."""
    f.frame(1, b"\x00\x01x\x01y", stream=f.stream, flags=5)


@_h2("h2-broken-headers", "protocol")
async def _broken_headers(f: Framer) -> None:
    f.frame(1, b"\xff\xff\xff\xff\xff\xff\xff", stream=f.stream, flags=5)


@_h2("h2-header-bomb", "protocol")
async def _header_bomb(f: Framer) -> None:
    """Put one long header into the table and name it thousands of times [HPACK bomb]."""
    value = b"x" * 3000
    literal = b"\x40\x01a\x7f" + _integer(len(value) - 127) + value
    f.frame(1, b"\x88" + literal + b"\xbe" * 10_000, stream=f.stream, flags=5)


def _integer(rest: int) -> bytes:
    """Write what does not fit into the prefix of an HPACK integer."""
    out = b""
    while rest >= 128:
        out += bytes([rest % 128 + 128])
        rest //= 128
    return out + bytes([rest])


@_h2("h2-continuation-flood", "protocol")
async def _continuation(f: Framer) -> None:
    f.frame(1, b"\x88", stream=f.stream)
    await f.forever(raw_frame(9, b"\x00\x01x\x01y", f.stream))


@_h2("h2-ping-flood", "protocol")
async def _pings(f: Framer) -> None:
    await f.forever(raw_frame(6, bytes(8)) * 500)


@_h2("h2-settings-flood", "protocol")
async def _settings(f: Framer) -> None:
    await f.forever(raw_frame(4, struct.pack(">HI", 4, 65535)) * 500)


@_h2("h2-empty-data-flood", "protocol")
async def _empty(f: Framer) -> None:
    f.head()
    await f.forever(raw_frame(0, b"", f.stream) * 500)


@_h2("h2-padding-flood", "protocol")
async def _padding(f: Framer) -> None:
    f.head()
    await f.forever(raw_frame(0, b"\xff" + bytes(255), f.stream, flags=8) * 50)


@_h2("h2-window-overflow", "protocol")
async def _window(f: Framer) -> None:
    f.frame(8, struct.pack(">I", 2**31 - 1))
    f.frame(8, struct.pack(">I", 2**31 - 1))


@_h2("h2-zero-window", "protocol")
async def _zero_window(f: Framer) -> None:
    f.frame(8, struct.pack(">I", 0), stream=f.stream)


@_h2("h2-push", "protocol")
async def _push(f: Framer) -> None:
    f.frame(5, struct.pack(">I", 2) + b"\x82\x84\x87", stream=f.stream, flags=4)


@_h2("h2-huge-frame", "protocol")
async def _huge_frame(f: Framer) -> None:
    f.frame(0, bytes(2**20), stream=f.stream)


@_h2("h2-data-before-head", "protocol")
async def _early_data(f: Framer) -> None:
    f.frame(0, page("evil"), stream=f.stream, flags=1)


@_h2("h2-other-stream", "timeout retry")
async def _other_stream(f: Framer) -> None:
    """Answer a question that nobody asked."""
    f.frame(8, struct.pack(">I", 1), stream=f.stream)


@_h2("h2-is-http-1", "timeout retry")
async def _http_1(f: Framer) -> None:
    f.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
