"""Limits over all hosts: requests and bytes a second, requests in flight to one address."""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import pytest

from graphcrawl.fetch import Fetcher, FetchSettings, parse_resolve
from graphcrawl.fetch.access import Access, read_headers
from graphcrawl.fetch.throttle import PER_PUBLIC_ADDRESS, AddressTurns, Throttle
from graphcrawl.limits import Cause
from graphcrawl.models import Fetched


class Names:
    """A resolver that knows what it is told."""

    def __init__(self, **addresses: str) -> None:
        self.known = addresses

    async def addresses(self, host: str, port: int) -> tuple[list[str], int]:
        return [self.known[host.partition(".")[0]]], port


async def test_requests_are_spaced_over_all_hosts() -> None:
    throttle, begun = Throttle(per_s=50), time.monotonic()
    times: list[float] = []

    async def ask() -> None:
        await throttle.start()
        times.append(time.monotonic() - begun)

    await asyncio.gather(*(ask() for _ in range(11)))
    for number, at in enumerate(sorted(times)):  # a loaded machine may be later, never earlier
        assert at >= number / 50 - 0.005


async def test_without_limits_nothing_waits() -> None:
    throttle, begun = Throttle(), time.monotonic()
    for _ in range(1000):
        await throttle.start()
        await throttle.received(10**9)
    assert time.monotonic() - begun < 0.5


async def test_a_limit_says_when_requests_wait_for_it() -> None:
    async def told(throttle: Throttle, work: Coroutine[Any, Any, None]) -> Cause | None:
        waiting = asyncio.create_task(work)
        await asyncio.sleep(0.01)
        cause = throttle.held_back()
        waiting.cancel()
        await asyncio.wait([waiting])
        assert throttle.held_back() is None
        return cause

    rate = Throttle(per_s=1)
    assert await told(rate, rate.start()) is None  # the first may go at once
    assert await told(rate, rate.start()) is Cause.RATE
    width = Throttle(bytes_per_s=1000)
    assert await told(width, width.received(5000)) is Cause.BANDWIDTH
    assert await told(width, width.start()) is Cause.BANDWIDTH


@pytest.mark.parametrize(
    ("limit", "host", "most"),
    [
        (2, "private", 2),
        (None, "private", 20),
        (None, "public", PER_PUBLIC_ADDRESS),
        (3, "public", 3),
    ],
)
async def test_hosts_at_one_address_share_its_limit(
    limit: int | None, host: str, most: int
) -> None:
    names: Any = Names(private="10.0.0.1", public="1.1.1.1", other="1.0.0.1")
    turns = AddressTurns(names, limit, 1.0)
    now, seen = Counter[str](), Counter[str]()

    async def ask(name: str, number: int) -> None:
        async with turns.turn(f"http://{name}.n{number}.example/"):
            now[name] += 1
            seen[name] = max(seen[name], now[name])
            await asyncio.sleep(0.01)
            now[name] -= 1

    await asyncio.gather(*(ask(host, n) for n in range(20)), ask("other", 0))
    assert seen == {host: most, "other": 1}
    assert turns._turns == {}


async def serve(body: bytes, seen: list[bytes]) -> asyncio.Server:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)
        )
        writer.write(body)
        await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", 0)


async def test_bytes_a_second_are_limited_and_our_own_waiting_ends_no_page() -> None:
    """900 KB at 400 KB a second take 2¼ s, more than the 1 s that a page may take."""
    server = await serve(b"x" * 300_000, [])
    port = server.sockets[0].getsockname()[1]
    settings = FetchSettings(
        "test",
        total_s=1.0,
        max_bandwidth_bytes=400_000,
        resolve=(parse_resolve(f"*:80:127.0.0.1:{port}"),),
    )
    async with server, Fetcher(settings) as web:
        begun = time.monotonic()
        found = await asyncio.gather(*(web.get(f"http://{n}.example/") for n in "abc"))
        await web.get("http://d.example/")
        seconds = time.monotonic() - begun
    assert all(isinstance(outcome, Fetched) for outcome in found), found
    assert seconds > 2.0


async def test_extra_headers_are_sent_and_replace_our_own() -> None:
    seen: list[bytes] = []
    server = await serve(b"x", seen)
    port = server.sockets[0].getsockname()[1]
    access = Access(
        read_headers(["Accept: text/html", "X-Key: 1"]),
        credentials={f"127.0.0.1:{port}": b"Bearer t"},
    )
    async with server, Fetcher(FetchSettings("bot/1", allow_private=True, access=access)) as web:
        await web.get(f"http://127.0.0.1:{port}/")
        await web.get(f"http://localhost:{port}/")
    lines = seen[0].lower().split(b"\r\n")
    assert lines.count(b"accept: text/html") == 1
    assert sum(line.startswith(b"accept:") for line in lines) == 1
    assert b"x-key: 1" in lines
    assert b"authorization: bearer t" in lines
    assert b"user-agent: bot/1" in lines
    assert b"authorization" not in seen[1].lower()
