"""Real embedded servers: started, killed, raced for, side by side. Each test has its own folder."""

import asyncio
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from servers import SMALL

from graphcrawl import server
from graphcrawl.config import Paths, load_settings
from graphcrawl.connection import connect
from graphcrawl.errors import Neo4jAuthError, ServerError
from graphcrawl.graph import Graph
from graphcrawl.server import java, process
from graphcrawl.server.store import Store

# A command of its own, as two users would type it; prints the number of the server's process.
UP = """
import asyncio, sys
from pathlib import Path
from graphcrawl import server
from graphcrawl.config import Paths, ServerSettings
data, cache = map(Path, sys.argv[1:3])
paths = Paths(data, data, cache, data)
settings = ServerSettings(heap=512 * 2**20, page_cache=64 * 2**20, bolt_port=int(sys.argv[3]))
print(asyncio.run(server.up(paths, "a", settings)).pid)
"""


@pytest.fixture
async def paths(tmp_path: Path) -> AsyncIterator[Paths]:
    paths = replace(Paths.locate(tmp_path), cache=Paths.locate().cache)
    yield paths
    for graph in server.list_graphs(paths):
        await server.down(paths, graph.name)


def type_up(paths: Paths, bolt_port: int = 7687) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", UP, str(paths.data), str(paths.cache), str(bolt_port)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def write(running: server.Running, name: str) -> None:
    async with Graph.open(running.address) as graph:
        await graph.run("schema/stamp", graph=name, schemaVersion=1, productVersion="0")


async def read(running: server.Running) -> str | None:
    async with Graph.open(running.address) as graph:
        name: str | None = (await graph.run("schema/meta"))[0]["graph"]
        return name


async def test_up_serves_neo4j_gds_and_browser_on_loopback_until_down(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two commands at once start it: one does, and both get the server."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with socket.socket() as foreign:  # somebody else has the usual port
        foreign.bind(("127.0.0.1", 0))
        foreign.listen()
        settings = SMALL.model_copy(update={"bolt_port": foreign.getsockname()[1]})
        commands = [type_up(paths, settings.bolt_port) for _ in range(2)]
        pids = [int((await asyncio.to_thread(c.communicate))[0]) for c in commands]
    assert pids[0] == pids[1]
    assert process.MAIN_CLASS in psutil.Process(pids[0]).cmdline()  # it outlives them
    running = server.find(paths, "a")
    assert running is not None
    assert running.pid == pids[0]
    assert running.bolt_port != settings.bolt_port
    assert server.status(paths, "a").state == "running"
    assert (await server.up(paths, "a", settings)).pid == running.pid  # up again changes nothing

    async with Graph.open(running.address) as graph:
        await graph.run_schema("RETURN gds.version()")
        await graph.run_schema("CALL gds.list('gds.pageRank') YIELD name RETURN 1 / count(*)")
    with urllib.request.urlopen(running.browser_url) as page:
        assert b"Neo4j Browser" in page.read()

    listening = [c for c in running.process.net_connections("tcp") if c.status == "LISTEN"]
    assert {c.laddr.port for c in listening} == {running.bolt_port, running.http_port}
    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening} == {"127.0.0.1"}
    assert stat.S_IMODE(running.password_file.stat().st_mode) == 0o600
    password = running.address.password
    assert password not in repr(running)
    assert password not in " ".join(running.process.cmdline())
    assert password not in "\n".join(server.log_tail(paths, "a", 10_000))
    given = load_settings(graph="a", home=paths.data)
    async with connect(given, start=False) as graph:
        assert (await graph.run("schema/meta"))[0]["graph"] == "a"
    wrong = replace(running.address, password="neo4j")
    with pytest.raises(Neo4jAuthError):  # there was never a default password
        async with Graph.open(wrong):
            pass

    assert await server.down(paths, "a")
    assert not process.is_alive(running.process)
    assert server.status(paths, "a").state == "stopped"
    assert any("Started." in line for line in server.log_tail(paths, "a", 100))


async def test_a_java_is_fetched_once_where_none_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "_installed", lambda: None)
    steps: list[str] = []

    async def obtain() -> Path:
        return await java.ensure(tmp_path, lambda step: steps.append(step.stage))

    binary = await obtain()
    told = subprocess.run([binary, "-version"], capture_output=True, text=True, check=True)
    assert 'version "25' in told.stderr
    assert set(steps) == {"java"}
    steps.clear()
    assert await obtain() == binary
    assert not steps


async def test_graphs_are_separate_even_when_both_choose_the_same_ports(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = process.free_ports
    same = choose(0, 0)
    choices = iter([same, same])  # then as ever
    monkeypatch.setattr(process, "free_ports", lambda *w: next(choices, None) or choose(*w))
    one, two = await asyncio.gather(server.up(paths, "a", SMALL), server.up(paths, "b", SMALL))
    assert len({one.bolt_port, one.http_port, two.bolt_port, two.http_port}) == 4
    assert one.address.password != two.address.password
    await write(one, "a")
    assert await read(two) is None
    assert await server.reset(paths, "b")
    assert [(s.name, s.state) for s in server.list_graphs(paths)] == [("a", "running")]
    assert not process.is_alive(two.process)
    assert await read(one) == "a"


async def test_a_killed_start_is_taken_over_and_a_killed_server_started_again(paths: Paths) -> None:
    store = Store.of(paths, "a")
    command = type_up(paths)
    while (run := store.read_run()) is None or (found := process.find(store, run)) is None:
        await asyncio.sleep(0.05)
        assert command.poll() is None
    command.kill()
    command.wait()
    store.write_run(replace(run, pid=None))  # as if killed before it could note the process
    first = await server.up(paths, "a", SMALL)
    assert first.pid == found.pid

    await write(first, "a")
    first.process.kill()
    first.process.wait(30)
    assert server.status(paths, "a").state == "crashed"
    second = await server.up(paths, "a", SMALL)
    assert second.pid != first.pid
    assert await read(second) == "a"


async def test_a_start_that_takes_too_long_leaves_no_process(paths: Paths) -> None:
    with pytest.raises(ServerError, match=r"does not answer after 0\.1 s"):
        await server.up(paths, "a", SMALL.model_copy(update={"start_timeout": 0.1}))
    if (running := server.find(paths, "a")) is not None:  # told to end, on its way
        running.process.wait(60)
    assert server.find(paths, "a") is None
