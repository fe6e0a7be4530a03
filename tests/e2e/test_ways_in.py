"""A crawl that goes out by a real SOCKS5 proxy and shows one host its bearer token."""

import asyncio
import json
import os
import re
import struct
import threading
from asyncio import StreamReader, StreamWriter
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from peek import peek

from graphcrawl import cli
from graphcrawl.graph import Address, Graph

Handler = Callable[[StreamReader, StreamWriter], Awaitable[None]]
USER, PASSWORD, TOKEN = "me", "pr0xy-secret", "t0ken-secret"
ANSWER = "HTTP/1.1 {}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}"


class Web:
    """A server that wants a token of those who ask a.example, and the only way to it."""

    def __init__(self) -> None:
        self.shown: dict[str, set[str]] = defaultdict(set)  # Authorization by host
        self.names: set[str] = set()  # that the proxy was asked for
        self.port = 0

    async def site(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                fields = dict(re.findall(r"(?m)^([\w-]+): (.*)\r$", head))
                host, shown = fields["Host"], fields.get("Authorization", "")
                self.shown[host].add(shown)
                body, status = f"<title>{host}</title><a href=http://b.example/>b</a>", "200 OK"
                if ".txt " in head or ".json " in head:
                    body, status = "", "404 None"
                elif host == "a.example" and shown != f"Bearer {TOKEN}":
                    body, status = "", "401 Who"
                writer.write(ANSWER.format(status, len(body), body).encode())
        writer.close()

    async def proxy(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Source: RFC 1928, RFC 1929."""
        _, methods = await reader.readexactly(2)
        assert 2 in await reader.readexactly(methods)
        writer.write(b"\x05\x02")
        _, size = await reader.readexactly(2)
        user = await reader.readexactly(size)
        password = await reader.readexactly((await reader.readexactly(1))[0])
        right = (user, password) == (USER.encode(), PASSWORD.encode())
        writer.write(b"\x01\x00" if right else b"\x01\x01")
        if not right:
            return writer.close()
        assert (await reader.readexactly(4))[3] == 3  # a name: it is looked up here
        name = await reader.readexactly((await reader.readexactly(1))[0])
        (port,) = struct.unpack("!H", await reader.readexactly(2))
        self.names.add(f"{name.decode()}:{port}")
        there = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        await asyncio.gather(_pass_on(reader, there[1]), _pass_on(there[0], writer))
        return None


async def _pass_on(source: StreamReader, target: StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


@contextmanager
def serving() -> Iterator[tuple[Web, str]]:
    """Play site and proxy in a thread of their own; give what they saw, and the proxy's address."""
    web, loop = Web(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def listening(handler: Handler) -> int:
        started = asyncio.start_server(handler, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(started, loop).result(10)
        port: int = server.sockets[0].getsockname()[1]
        return port

    web.port = listening(web.site)
    yield web, f"127.0.0.1:{listening(web.proxy)}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def test_by_socks_and_with_a_token(
    graph: Graph,
    neo4j_address: Address,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in list(os.environ):
        if re.match(r"NEO4J_|GRAPHCRAWL_(?!TEST_)", name):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__PARSERS", "1")
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)
    monkeypatch.setenv("THE_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    Path("graphcrawl.toml").write_text('[hosts."a.example:80"]\ntoken = "env:THE_TOKEN"\n')

    more = ("--delay", "0", "--scope", "any", "--contact", "a@b.example", "--json")
    with serving() as (web, at):

        def crawl(password: str) -> tuple[int, str, str]:
            words = ["--graph", "test", "crawl", "http://a.example/", *more]
            words += ["--proxy", f"socks5h://{USER}:{password}@{at}"]
            code = cli.run(words)
            return code, *capsys.readouterr()

        code, _, told = crawl("wrong")
        assert (code, web.names) == (4, set())
        assert "refuses its user or password" in told
        code, out, err = crawl(PASSWORD)
    assert code == 0, err
    assert json.loads(out)["pages"] == 2
    assert web.names == {"a.example:80", "b.example:80"}
    assert web.shown == {"a.example": {f"Bearer {TOKEN}"}, "b.example": {""}}
    kept = asyncio.run(peek(graph, "MATCH (n) RETURN properties(n) AS p"))
    kept_text = json.dumps(kept, default=str) + out + err + told
    assert TOKEN not in kept_text
    assert PASSWORD not in kept_text
