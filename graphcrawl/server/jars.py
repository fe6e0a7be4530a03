"""The jars of the embedded Neo4j: pinned in `jars.lock`, fetched in parallel, checked, kept.

A line of the lock is `group:artifact:version[:classifier] SHA-256 BYTES`; `#` begins a comment.
This command makes it anew, from the coordinates in `ROOTS`:

    python -m graphcrawl.server.jars graphcrawl/jars.lock
"""

import asyncio
import errno
import hashlib
import logging
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from graphcrawl.errors import ServerError
from graphcrawl.server.exclusive import exclusive

# Neo4j and the GDS library made for it: raise them together.
ROOTS = (
    "org.neo4j:neo4j:2026.01.4",
    "org.neo4j.app:neo4j-server:2026.01.4",
    "org.neo4j.gds:opengds-extension:2.26.0",
    "org.neo4j.gds:proc:2.26.0",
    "org.neo4j.client:neo4j-browser:5.24.0",
)
PARALLEL = 16
TIMEOUT_S = 30
_ATTEMPTS = 2
_INCOMING = ".incoming"  # unchecked downloads
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size_bytes: int

    @property
    def coordinates(self) -> str:
        """Return `group:artifact:version[:classifier]`."""
        parts = (self.group, self.artifact, self.version, self.classifier)
        return ":".join(part for part in parts if part)

    @property
    def file_name(self) -> str:
        """Return the name that the jar has in a Maven repository and in our cache."""
        parts = (self.artifact, self.version, self.classifier)
        return "-".join(part for part in parts if part) + ".jar"

    @property
    def has_procedures(self) -> bool:
        """Whether Neo4j must find this jar among its plugins to know its `gds.*` procedures."""
        return self.group == "org.neo4j.gds" and "proc" in self.artifact


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a start has come; whoever shows it gets one after each step."""

    stage: Literal["wait", "java", "download", "start"]  # wait: another command is at it
    done_bytes: int = 0
    total_bytes: int = 0


OnProgress = Callable[[Progress], None]


def parse_lock(text: str) -> tuple[Jar, ...]:
    """Read a lock.

    Raises:
        ServerError: A line that cannot be read, or two jars with one file name.
    """
    jars: dict[str, Jar] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            coordinates, sha256, size = line.split()
            group, artifact, version, *classifier = coordinates.split(":")
            jar = Jar(group, artifact, version, "".join(classifier), sha256, int(size))
            if len(bytes.fromhex(sha256)) != hashlib.sha256().digest_size or len(classifier) > 1:
                raise ValueError(line)
        except ValueError as error:
            raise ServerError(
                f"jars.lock, line {number}: {line!r} is not 'group:artifact:version SHA256 BYTES'.",
                "pip install --force-reinstall graphcrawl",
            ) from error
        if jar.file_name in jars:
            raise ServerError(f"jars.lock, line {number}: a second {jar.file_name}.")
        jars[jar.file_name] = jar
    return tuple(jars.values())


def locked_jars() -> tuple[Jar, ...]:
    """Return the jars of the lock that this version of graphcrawl carries."""
    return parse_lock((files("graphcrawl") / "jars.lock").read_text(encoding="utf-8"))


async def ensure(folder: Path, jars: Sequence[Jar], on_progress: OnProgress) -> list[Path]:
    """Bring every jar into `folder` and return their paths, in the lock's order.

    Only a checked jar gets its final name, so an interrupted run is continued by the next one. What
    is there already is hashed again (200 MB in well under a second): a damaged file is replaced.

    Raises:
        ServerError: No network, a jar that is not there or twice has a wrong checksum, disk full.
    """
    total = sum(jar.size_bytes for jar in jars)
    done = 0
    loop = asyncio.get_running_loop()

    async def obtain(jar: Jar) -> Path:
        nonlocal done
        path = await loop.run_in_executor(pool, _obtain, jar, folder)
        done += jar.size_bytes
        on_progress(Progress("download", done, total))
        return path

    async with exclusive(folder / ".lock", lambda: on_progress(Progress("wait"))):
        pool = ThreadPoolExecutor(PARALLEL, thread_name_prefix="jars")
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(obtain(jar)) for jar in jars]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed.exceptions[0].__cause__
        finally:
            pool.shutdown(cancel_futures=True)
        shutil.rmtree(folder / _INCOMING, ignore_errors=True)
    return [task.result() for task in tasks]


def missing_or_damaged(folder: Path, jars: Sequence[Jar]) -> list[Jar]:
    """Return the jars that are not in `folder` as the lock says; nothing is fetched."""
    return [jar for jar in jars if not _is_intact(folder / jar.file_name, jar)]


def _obtain(jar: Jar, folder: Path) -> Path:
    """Return the checked jar in `folder`, fetching it where it is missing or damaged."""
    target = folder / jar.file_name
    try:
        if _is_intact(target, jar):
            return target
        for _ in range(_ATTEMPTS):
            fetched = _fetch(jar, folder / _INCOMING)
            if fetched is not None and _is_intact(fetched, jar):
                return fetched.replace(target)
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise ServerError(
                f"The disk is full: {jar.file_name} does not fit into {folder}.",
                "Free some space (the server needs about 400 MB), then type the command again.",
            ) from error
        raise ServerError(f"Cannot keep {jar.file_name} in {folder}: {error}.") from error
    if fetched is None:
        raise ServerError(
            f"Cannot fetch {jar.coordinates}, a part of Neo4j: no network, or no answer.",
            "Check the network, then type the command again: it goes on where it stopped.",
        )
    fetched.unlink(missing_ok=True)
    raise ServerError(
        f"{jar.coordinates} arrived with a wrong checksum {_ATTEMPTS} times and was deleted.",
        "Type the command again later; if it persists, something on the way alters downloads.",
    )


def _is_intact(path: Path, jar: Jar) -> bool:
    """Whether the file is there and is what the lock says."""
    try:
        if path.stat().st_size != jar.size_bytes:
            return False
    except FileNotFoundError:
        return False
    return _sha256(path) == jar.sha256


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch(jar: Jar, incoming: Path) -> Path | None:
    """Download a jar below `incoming`; None when it could not be had.

    Raises:
        OSError: The disk is full or the folder cannot be written.
    """
    artifact = _maven(incoming).project(jar.group, jar.artifact).at_version(jar.version)
    artifact = artifact.artifact(jar.classifier, "jar")
    artifact.cached_path.unlink(missing_ok=True)  # jgo takes a file cut short for a whole one
    try:
        return Path(artifact.resolve())
    except OSError as error:
        # From the network: requests' errors are OSErrors without a number.
        if error.errno is None or isinstance(error, ConnectionError | TimeoutError):
            return None
        raise
    except Exception:  # jgo has no errors of its own: RuntimeError where an answer is not 200
        return None


def _maven(repository: Path) -> Any:
    # Imported late: it takes 0.2 s, and a server that runs already needs no jars.
    from jgo.maven import MavenContext  # noqa: PLC0415

    logging.getLogger("jgo").setLevel(logging.ERROR)  # it warns of checksums, which we check
    return MavenContext(repo_cache=repository, timeout=TIMEOUT_S)


def make_lock(roots: Iterable[str] = ROOTS) -> str:
    """Resolve the coordinates and all they need, fetch every jar and return the text of a lock."""
    from jgo.maven import Dependency  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="graphcrawl-jars-") as folder:
        maven = _maven(Path(folder))
        wanted = [
            Dependency(maven.project(group, artifact).at_version(version).artifact())
            for group, artifact, version in (root.split(":") for root in roots)
        ]
        named, needed = maven.resolver.resolve(wanted)
        artifacts = [d.artifact for d in (*named, *needed) if d.artifact.packaging == "jar"]
        with ThreadPoolExecutor(PARALLEL) as pool:
            paths = list(pool.map(lambda artifact: Path(artifact.resolve()), artifacts))
        lines = []
        for a, path in zip(artifacts, paths, strict=True):
            names = (a.groupId, a.artifactId, a.version, a.classifier)
            coordinates = ":".join(name for name in names if name)
            lines.append(f"{coordinates} {_sha256(path)} {path.stat().st_size}\n")
    header = "# Made by: python -m graphcrawl.server.jars graphcrawl/jars.lock\n"
    text = header + "".join(sorted(lines))
    parse_lock(text)
    return text


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(make_lock(), encoding="utf-8")
