"""Answers broken at random: a fetch ends with a value all the same, and nothing is left open."""

import asyncio
import gzip
import random
import struct
from pathlib import Path

import brotli
import psutil
import pytest
from hostile_server import Authority, answer, page

from graphcrawl.fetch import Fetcher, FetchSettings, parse_resolve
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Redirected

SEED = 20_260
PAGE = page("fuzz", "text " * 50)
CHUNKED = b"".join(b"%x\r\n%b\r\n" % (len(c), c) for c in (PAGE[:9], PAGE[9:])) + b"0\r\n\r\n"
WHOLE = [
    answer(PAGE),
    answer(gzip.compress(PAGE), "Content-Encoding: gzip"),
    answer(brotli.compress(PAGE), "Content-Encoding: br"),
    answer(CHUNKED, "Transfer-Encoding: chunked", "ETag: x").replace(b"Content-Length", b"X"),
    answer(b"", "Location: /there", "Retry-After: 9", status="302 Found"),
    answer(b"", "Retry-After: Mon, 01 Jan 2024 12:00:04 GMT", status="503 Busy"),
    b"HTTP/1.1 103 Early\r\n\r\n" + answer(PAGE, "Last-Modified: Mon, 01 Jan 2024 12:00:04 GMT"),
]


def frame(kind: int, payload: bytes, stream: int, flags: int = 0) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


# :status 200, content-type text/html; settings, an acknowledgement, head, data, farewell
_HEAD = b"\x88\x5f\x87\x49\x7c\xa5\x8a\xe8\x19\xaa"
FRAMES = (
    frame(4, b"", 0)
    + frame(4, b"", 0, 1)
    + frame(1, _HEAD, 1, 4)
    + frame(0, PAGE, 1)
    + frame(0, b"", 1, 1)
    + frame(6, bytes(8), 0)
    + frame(7, bytes(8), 0)
)


def broken(whole: bytes, chance: random.Random) -> bytes:
    """Change, drop, double or put in some bytes, most of them in the head."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(min(len(data), chance.choice((40, 200, 10_000))))
        match chance.randrange(5):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + chance.randint(1, 20)]
            case 2:
                data[at:at] = data[at : at + chance.randint(1, 60)]
            case 3:
                data[at:at] = chance.choice((b"\r\n", b"\0", b"\n\n", b": ", b"9" * 30, b"\xff"))
            case 4:
                del data[chance.randrange(at, len(data)) :]
        data = data or bytearray(b"x")
    return bytes(data)


@pytest.mark.parametrize(("protocol", "number"), [("http/1.1", 400), ("h2", 200)])
async def test_broken_answers_are_values(
    protocol: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(SEED)
    wholes = WHOLE if protocol == "http/1.1" else [FRAMES]
    answers = wholes + [broken(chance.choice(wholes), chance) for _ in range(number)]
    now: list[bytes] = []
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.pem))

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        data = b""
        while b"/" not in data.replace(b"PRI * HTTP/2", b"") and len(data) < 200:
            if not (more := await reader.read(65536)):
                break
            data += more
        writer.write(now[-1])
        await asyncio.sleep(0)
        writer.close()

    context = authority.contexts()["h2"] if protocol == "h2" else None
    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}/" if context is None else f"https://f.hostile.example:{port}/"
    settings = FetchSettings(
        "graphcrawl/0 (+test)",
        read_s=2,
        total_s=5,
        max_body_bytes=2**20,
        allow_private=True,
        resolve=(parse_resolve(f"f.hostile.example:{port}:127.0.0.1"),),
    )
    outcomes: list[FetchOutcome] = []
    async with server, Fetcher(settings) as fetcher:
        for data in answers:
            now.append(data)
            outcomes.append(await fetcher.get(url))
            await fetcher._connections.aclose()
    await asyncio.sleep(0.05)
    for whole, outcome in zip(answers, outcomes[: len(wholes)], strict=False):
        assert isinstance(outcome, Fetched | Redirected) or b"503" in whole, outcome
    assert len(outcomes) == len(answers)
    for outcome in outcomes:
        if isinstance(outcome, NotFetched):
            assert outcome.detail.isprintable()
            assert len(outcome.detail) <= 300
    left = [c for c in psutil.Process().net_connections("tcp") if c.raddr and c.raddr.port == port]
    assert not left
