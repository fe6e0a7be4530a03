"""The demo's server: real HTTP on loopback, all hosts on one port."""

import asyncio
import contextlib
import http.client
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from graphcrawl.demo.site import DemoSite, listen
from graphcrawl.demo.web import generate


@pytest.fixture
async def site() -> AsyncIterator[DemoSite]:
    listener = listen()
    web = generate(3, 300, listener.getsockname()[1])
    async with DemoSite(web, listener) as running:
        yield running


def ask(
    connection: http.client.HTTPConnection, host: str, path: str, method: str = "GET"
) -> tuple[http.client.HTTPResponse, bytes]:
    connection.request(method, path, headers={"Host": host, "User-Agent": "tester/1"})
    response = connection.getresponse()
    return response, response.read()


async def test_serves_every_resource_over_one_connection(site: DemoSite) -> None:
    def fetch_all() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", site.web.port, timeout=10)
        connection.connect()
        socket = connection.sock
        for (host, path), resource in site.web.resources.items():
            if resource.delay_s:
                continue
            response, body = ask(connection, f"{host}:{site.web.port}", path)
            assert (response.status, body) == (resource.status, resource.body), (host, path)
            assert response.headers["Content-Type"] == resource.content_type
            assert response.headers["Location"] == (resource.location or None)
        assert connection.sock is socket
        connection.close()

    await asyncio.to_thread(fetch_all)
    assert {(r.host, r.path) for r in site.requests} < set(site.web.resources)
    assert {r.agent for r in site.requests} == {"tester/1"}


async def test_seeds_lead_to_the_port_it_listens_on(site: DemoSite) -> None:
    assert {urlsplit(seed).port for seed in site.web.seeds} == {site.web.port}
    assert site.resolve == f"*:{site.web.port}:127.0.0.1"


async def test_unknown_hosts_and_paths_are_not_found(site: DemoSite) -> None:
    def fetch() -> list[int]:
        connection = http.client.HTTPConnection("127.0.0.1", site.web.port, timeout=10)
        host = site.web.hosts[0]
        places = [("nobody.example", "/"), (host, "/no/such/page"), (host.upper(), "/")]
        return [ask(connection, *place)[0].status for place in places]

    assert await asyncio.to_thread(fetch) == [404, 404, 200]


async def test_head_has_no_body_and_close_closes(site: DemoSite) -> None:
    host = site.web.hosts[0]
    reader, writer = await asyncio.open_connection("127.0.0.1", site.web.port)
    writer.write(f"HEAD / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    head, _, body = answer.partition(b"\r\n\r\n")
    size = len(site.web.answer(host, "/").body)
    assert f"Content-Length: {size}".encode() in head
    assert body == b""
    writer.close()


async def test_a_slow_page_holds_nobody_else_up(site: DemoSite) -> None:
    (slow,) = ((h, p) for (h, p), r in site.web.resources.items() if r.delay_s)
    finished: list[str] = []

    async def get(host: str, path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.web.port)
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        finished.append(path)
        writer.close()

    async with asyncio.TaskGroup() as group:
        group.create_task(get(*slow))
        await asyncio.sleep(0.05)
        group.create_task(get(site.web.hosts[0], "/"))
    assert finished == ["/", slow[1]]


@pytest.mark.parametrize("junk", [b"hello\r\n\r\n", b"GET " + b"a" * 40_000 + b"\r\n\r\n", b"GE"])
async def test_junk_is_hung_up_on_and_harms_nobody(site: DemoSite, junk: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.web.port)
    writer.write(junk)
    writer.write_eof()
    with contextlib.suppress(ConnectionResetError):  # also a way to hang up
        assert await reader.read() == b""
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", site.web.port)
    writer.write(f"GET / HTTP/1.0\r\nHost: {site.web.hosts[0]}\r\n\r\n".encode())
    assert (await reader.read()).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_ends_although_a_connection_is_open() -> None:
    listener = listen()
    web = generate(3, 300, listener.getsockname()[1])
    async with DemoSite(web, listener):
        reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
        writer.write(f"GET / HTTP/1.1\r\nHost: {web.hosts[0]}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
    await reader.read()
    assert reader.at_eof()
    writer.close()


async def test_refuses_a_web_of_another_port() -> None:
    with listen() as listener, pytest.raises(ValueError, match="port"):
        DemoSite(generate(3, 300, 1), listener)
