"""The lock of jars, and fetching them from a Maven repository on loopback that misbehaves."""

import asyncio
import errno
import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from jgo.maven import MavenContext

from graphcrawl.errors import ServerError
from graphcrawl.server import jars
from graphcrawl.server.jars import Jar, Progress, ensure, locked_jars, parse_lock

BODIES = {name: name.encode() * 5000 for name in ("a", "b", "c")}
SHA = "ab" * 32


def jar(name: str) -> Jar:
    body = BODIES[name]
    return Jar("org.x", name, "1", "", hashlib.sha256(body).hexdigest(), len(body))


JARS = [jar(name) for name in BODIES]


class Repository(ThreadingHTTPServer):
    """Serves the jars; `answers` holds what to send instead, once each, by jar."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, list[tuple[int, int, bytes]]] = {}  # status, length, body
        self.asked: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        name = self.path.split("/")[-1].removesuffix("-1.jar")
        body = BODIES.get(name, b"")
        status, length = (200, len(body)) if body else (404, 0)
        if body:
            self.server.asked.append(name)
            if self.server.answers.get(name):
                status, length, body = self.server.answers[name].pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with Repository() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        remote = {"local": f"http://127.0.0.1:{server.server_port}"}
        monkeypatch.setattr(
            jars, "_maven", lambda folder: MavenContext(repo_cache=folder, remote_repos=remote)
        )
        yield server
        server.shutdown()


def fetch(folder: Path, seen: list[Progress] | None = None) -> list[Path]:
    return asyncio.run(ensure(folder, JARS, [].append if seen is None else seen.append))


def kept(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name[0] != "."}


def test_a_lock_line_is_coordinates_hash_and_size() -> None:
    text = f"# comment\n\norg.x:lib:1.0:linux-x86_64 {SHA} 12\norg.x:lib:1.0 {SHA} 7\n"
    native, plain = parse_lock(text)
    assert native == Jar("org.x", "lib", "1.0", "linux-x86_64", SHA, 12)
    assert native.coordinates == "org.x:lib:1.0:linux-x86_64"
    assert (native.file_name, plain.file_name) == ("lib-1.0-linux-x86_64.jar", "lib-1.0.jar")


@pytest.mark.parametrize(
    "line",
    [
        "org.x:lib:1.0",
        f"org.x:lib {SHA} 1",
        f"org.x:lib:1.0 {SHA} many",
        f"org.x:lib:1.0 {SHA[2:]} 1",
        f"org.x:lib:1.0:a:b {SHA} 1",
        f"org.x:lib:1.0 {'zz' * 32} 1",
    ],
)
def test_a_broken_lock_line_is_named(line: str) -> None:
    with pytest.raises(ServerError, match="line 2"):
        parse_lock(f"# comment\n{line}\n")


def test_two_jars_of_one_file_name_are_refused() -> None:
    with pytest.raises(ServerError, match=r"second lib-1\.jar"):
        parse_lock(f"org.x:lib:1 {SHA} 1\norg.y:lib:1 {SHA} 1\n")


def test_the_shipped_lock_holds_every_root_and_the_procedures() -> None:
    locked = locked_jars()
    assert set(jars.ROOTS) <= {jar.coordinates for jar in locked}
    procedures = {jar.artifact for jar in locked if jar.has_procedures}
    assert {"proc", "proc-centrality", "procedures-facade-api"} <= procedures
    assert not any("neo4j-procedure" in name for name in procedures)


def test_every_jar_arrives_and_progress_ends_at_the_total(
    tmp_path: Path, repository: Repository
) -> None:
    seen: list[Progress] = []
    paths = fetch(tmp_path, seen)
    assert [path.read_bytes() for path in paths] == list(BODIES.values())
    total = sum(map(len, BODIES.values()))
    assert seen[-1] == Progress("download", total, total)
    assert len(seen) == len(JARS)


def test_what_is_there_is_not_fetched_again_and_a_damaged_file_is_replaced(
    tmp_path: Path, repository: Repository
) -> None:
    a, b, _ = fetch(tmp_path)
    a.write_bytes(b"x" * a.stat().st_size)  # same size, other content
    b.write_bytes(b.read_bytes()[:10])
    repository.asked.clear()
    fetch(tmp_path)
    assert sorted(repository.asked) == ["a", "b"]
    assert (a.read_bytes(), b.read_bytes()) == (BODIES["a"], BODIES["b"])


@pytest.mark.parametrize(
    "bad",
    [
        (200, 5000, b"x" * 5000),  # other content
        (200, 5000, b"a" * 100),  # the connection ends early
        (503, 0, b""),
    ],
)
def test_one_bad_answer_is_mended_by_asking_again(
    tmp_path: Path, repository: Repository, bad: tuple[int, int, bytes]
) -> None:
    repository.answers["a"] = [bad]
    fetch(tmp_path)
    assert repository.asked.count("a") == 2
    assert kept(tmp_path) == {"a-1.jar", "b-1.jar", "c-1.jar"}


def test_two_wrong_checksums_name_the_jar_and_keep_nothing_of_it(
    tmp_path: Path, repository: Repository
) -> None:
    repository.answers["b"] = [(200, 4, b"oops")] * 9
    with pytest.raises(ServerError, match=r"org\.x:b:1 .*wrong checksum") as caught:
        fetch(tmp_path)
    assert caught.value.hint
    assert repository.asked.count("b") == 2
    assert not list(tmp_path.rglob("b-1.jar"))


def test_the_next_run_goes_on_where_a_failed_one_stopped(
    tmp_path: Path, repository: Repository
) -> None:
    repository.answers["c"] = [(500, 0, b"")] * 2
    with pytest.raises(ServerError, match="Cannot fetch"):
        fetch(tmp_path)
    there = {name.removesuffix("-1.jar") for name in kept(tmp_path)}
    repository.asked.clear()
    fetch(tmp_path)
    assert set(repository.asked) == set(BODIES) - there


def test_a_file_left_half_written_by_a_killed_run_is_not_trusted(
    tmp_path: Path, repository: Repository
) -> None:
    half = tmp_path / ".incoming/org/x/a/1/a-1.jar"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"aaa")
    fetch(tmp_path)
    assert repository.asked.count("a") == 1
    assert not (tmp_path / ".incoming").exists()


def test_no_network_is_one_error_with_a_hint_and_names_no_host(
    tmp_path: Path, repository: Repository
) -> None:
    repository.shutdown()
    repository.server_close()
    with pytest.raises(ServerError, match="no network") as caught:
        fetch(tmp_path)
    assert "network" in caught.value.hint
    assert "127.0.0.1" not in caught.value.message


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(jars, "_fetch", full)
    with pytest.raises(ServerError, match="disk is full"):
        fetch(tmp_path)


async def test_of_two_runs_at_once_one_fetches(tmp_path: Path, repository: Repository) -> None:
    seen: list[Progress] = []
    await asyncio.gather(*(ensure(tmp_path, JARS, seen.append) for _ in range(2)))
    assert sorted(repository.asked) == ["a", "b", "c"]
    assert Progress("wait") in seen
