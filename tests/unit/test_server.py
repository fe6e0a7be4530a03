"""The embedded server's parts that need no server: memory, ports, state files, processes."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from graphcrawl import server
from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import ServerError
from graphcrawl.server import jars, java, process
from graphcrawl.server.store import Run, Store

MIB, GIB = 2**20, 2**30


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.locate(tmp_path)


@pytest.fixture
def store(paths: Paths) -> Store:
    store = Store.of(paths, "test")
    store.prepare(Run(1, 2), MIB, [])
    return store


@pytest.mark.parametrize(
    ("machine_bytes", "heap_bytes", "page_cache_bytes"),
    [
        (2 * GIB, 512 * MIB, 256 * MIB),
        (16 * GIB, 2 * GIB, 2 * GIB),
        (512 * GIB, 8 * GIB, 8 * GIB),
    ],
)
def test_memory_is_an_eighth_within_bounds(
    machine_bytes: int, heap_bytes: int, page_cache_bytes: int
) -> None:
    plan = process.plan_memory(ServerSettings(), machine_bytes)
    assert plan == process.Memory(heap_bytes, page_cache_bytes)


def test_memory_that_is_set_is_taken() -> None:
    settings = ServerSettings(heap=300 * MIB, page_cache=20 * MIB)
    assert process.plan_memory(settings, GIB) == process.Memory(300 * MIB, 20 * MIB)


def test_a_container_limits_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, unlimited = tmp_path / "memory.max", tmp_path / "unlimited"
    limit.write_text("1000000\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(process, "_CGROUP_LIMITS", (unlimited, limit, tmp_path / "missing"))
    assert process.machine_memory_bytes() == 1_000_000


def test_free_ports_are_the_wished_ones_and_others_where_those_are_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wish = taken.getsockname()[1]
        first, second = process.free_ports(wish, wish)
        assert len({wish, first, second}) == 3
    assert process.free_ports(wish) == [wish]


def test_a_password_is_made_once_and_only_its_owner_can_read_it(store: Store) -> None:
    first = store.password_file.read_text()
    store.prepare(Run(3, 4), MIB, [])
    assert store.password_file.read_text() == first
    assert len(first.strip()) >= 24
    assert stat.S_IMODE(store.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.home.stat().st_mode) == 0o700
    assert first.strip() not in (store.home / "data/dbms/auth.ini").read_text()


def test_settings_listen_on_loopback_only(store: Store) -> None:
    lines = (store.conf / "neo4j.conf").read_text().splitlines()
    listen = [line.split("=")[1] for line in lines if "listen_address" in line]
    assert len(listen) == 3
    assert all(address.startswith("127.0.0.1") for address in listen)


def test_plugins_are_exactly_the_given_ones(store: Store, tmp_path: Path) -> None:
    old, new = tmp_path / "old.jar", tmp_path / "new.jar"
    for file in (old, new):
        file.write_bytes(b"jar")
    store.prepare(Run(1, 2), MIB, [old])
    store.prepare(Run(1, 2), MIB, [new])
    assert [path.name for path in (store.home / "plugins").iterdir()] == ["new.jar"]
    assert old.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', "3", '{"bolt_port": "x"}'])
def test_a_broken_state_file_counts_as_none(store: Store, text: str) -> None:
    (store.home / "run.json").write_text(text)
    assert store.read_run() is None


@pytest.mark.parametrize("pid", [os.getpid(), 2**22 + 1, None], ids=["alive", "never", "unnoted"])
def test_a_stale_state_file_is_a_crash_and_no_server(
    paths: Paths, store: Store, pid: int | None
) -> None:
    store.write_run(Run(1, 2, pid))  # a live process that is no server, none, never noted
    assert server.status(paths, "test").state == "crashed"
    assert server.find(paths, "test") is None


def test_the_server_is_known_by_its_command_line(paths: Paths, store: Store) -> None:
    arguments = [process.MAIN_CLASS, f"--home-dir={store.home}"]
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen([*sleeper, *arguments]) as ours:
        try:
            for noted in (ours.pid, os.getpid(), None):  # right, stale, killed before it was noted
                store.write_run(Run(1, 2, noted))
                running = server.find(paths, "test")
                assert running is not None
                assert running.pid == ours.pid
            store.write_run(Run(1, 2, ours.pid))
            assert server.find(paths, "tes") is None
            assert process.is_alive(psutil.Process(ours.pid))
        finally:
            ours.kill()
        os.waitid(os.P_PID, ours.pid, os.WEXITED | os.WNOWAIT)  # ended, and not waited for
        assert not process.is_alive(psutil.Process(ours.pid))
        assert server.find(paths, "test") is None


async def test_down_and_reset_of_nothing(paths: Paths, store: Store) -> None:
    store.write_run(Run(1, 2, os.getpid()))
    assert not await server.down(paths, "test")
    assert server.status(paths, "test").state == "stopped"
    assert await server.reset(paths, "test")
    assert server.status(paths, "test").state == "absent"
    assert not await server.reset(paths, "test")
    assert not await server.down(paths, "never")
    assert server.list_graphs(paths) == []


async def test_reset_clears_what_a_killed_reset_left(paths: Paths, store: Store) -> None:
    leftover = store.home.with_name(".test.deleted")
    leftover.mkdir()
    (leftover / "file").write_text("x")
    assert [s.name for s in server.list_graphs(paths)] == ["test"]
    assert await server.reset(paths, "test")
    assert not leftover.exists()


def test_the_log_tail_is_the_last_lines(paths: Paths, store: Store) -> None:
    assert server.log_tail(paths, "test") == []
    store.log_file.write_text("".join(f"line {n} {'x' * 100}\n" for n in range(5000)))
    assert [line.split()[1] for line in server.log_tail(paths, "test", 2)] == ["4998", "4999"]


async def test_a_java_that_ends_at_once_shows_its_log(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars, "locked_jars", lambda: ())
    with pytest.raises(ServerError, match=r"(?s)ended while it started.*heap") as caught:
        await server.up(paths, "test", ServerSettings(heap=1, page_cache=1))
    assert "graphcrawl db logs" in caught.value.hint
    assert server.status(paths, "test").state == "stopped"


async def test_java_that_cannot_be_run(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "locked_jars", lambda: ())
    monkeypatch.setattr(java, "_installed", lambda: paths.data / "no-java")
    with pytest.raises(ServerError, match="Cannot run Java"):
        await server.up(paths, "test", ServerSettings())
    assert server.status(paths, "test").state == "stopped"


async def test_a_folder_that_cannot_be_written(paths: Paths) -> None:
    paths.data.mkdir(exist_ok=True)
    (paths.data / "graphs").write_text("a file where a folder should be")
    with pytest.raises(ServerError, match="Cannot keep the graph 'test'"):
        await server.up(paths, "test", ServerSettings())
